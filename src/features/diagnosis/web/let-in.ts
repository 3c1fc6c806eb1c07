import { plural, t } from '@lingui/core/macro'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { notifyUndoable } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey, appKeyOf } from '#web/api/query-keys.ts'
import type { Coded } from '#web/api/code-text.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import type { Decision } from './why-data.ts'

export interface LetIn {
  /** What the button does. */
  label: string
  title: string
  description: string
  /** What is changed, e.g. the whole key. */
  subject?: string
  /** Levels of which one gets time. */
  levels?: readonly { level: number; name: string }[]
  failure: string
  /** Makes the change and says what was done, with Undo if it can be taken back. */
  run: (time: Time) => Promise<void>
}

interface Time {
  level: number
  /** In days. */
  duration: number
  idempotencyKey: string
}

const appId = () => selectedAppStore.get()?.appId

/** Everything shown of the app may be different now. */
async function refresh(app: string | undefined) {
  const ofApps = { queryKey: accountKey('apps') }
  await Promise.all([queryClient.invalidateQueries({ queryKey: appKeyOf(app) }), queryClient.invalidateQueries(ofApps)])
}

/** A change that a second call takes back. */
const switching = (
  failure: string,
  send: (on: boolean, app: string | undefined) => Promise<Coded>,
): Pick<LetIn, 'failure' | 'run'> => ({
  failure,
  run: async () => {
    const app = appId()
    const undo = async () => {
      await notifyOutcome(() => send(false, app), failure)
      await refresh(app)
    }
    const reply = await send(true, app)
    notifyUndoable(successText(reply), () => void undo())
    await refresh(app)
  },
})

/** A change of a user that the server has recorded for an undo. */
const recorded =
  (
    send: (time: Time, app: string | undefined) => Promise<Coded & { undoId: string | null }>,
    restoredText = (count: number) => plural(count, { one: 'Restored # user', other: 'Restored # users' }),
  ) =>
  async (time: Time): Promise<void> => {
    const app = appId()
    const reply = await send(time, app)
    const undoable = {
      undo: (body: { undoId: string }, options: object) => call('POST /users/undo', { body, appId: app, ...options }),
      refresh: () => refresh(app),
      restoredText,
    }
    notifyDone({ done: successText(reply) }, undoable, undoOf(reply))
    await refresh(app)
  }

/** The change that lets a customer in whom this rule keeps out; undefined if there is none, or none for this customer alone. */
export function letInOf(code: string, { target, levels = [], levelNumbers = [] }: Decision): LetIn | undefined {
  const [level] = levelNumbers
  const username = target
  const [levelName = ''] = levels
  switch (code) {
    case 'LICENSE_BANNED':
      if (target === '') return undefined
      return {
        label: t`Unban the license`,
        title: t`Unban license?`,
        description: t`Access is restored immediately.`,
        subject: target,
        ...switching(t`Failed to ban/unban license`, (on, app) =>
          call('POST /toggle_ban_license', { body: { licenseKey: target, banned: !on }, appId: app }),
        ),
      }
    case 'USER_BANNED':
      if (target === '') return undefined
      return {
        label: t`Unban the user`,
        title: t`Unban ${username}?`,
        description: t`The user can sign in again immediately.`,
        ...switching(t`Failed to ban user`, (on, app) =>
          call('POST /toggle_ban_user', { body: { username, banned: !on }, appId: app }),
        ),
      }
    case 'USER_PAUSED':
      if (target === '') return undefined
      return {
        label: t`Unpause the user`,
        title: t`Unpause ${username}?`,
        description: t`The time remaining at the pause resumes now.`,
        failure: t`Failed to pause user`,
        run: recorded(
          (_time, app) => call('POST /toggle_pause_user', { body: { username, paused: false }, appId: app }),
          () => t`User paused`,
        ),
      }
    case 'HWID_MISMATCH':
      if (target === '') return undefined
      return {
        label: t`Reset HWID`,
        title: t`Reset the HWID of ${username}?`,
        description: t`The next machine that signs in is bound.`,
        failure: t`Failed to reset HWID`,
        run: recorded((_time, app) => call('POST /reset_user_hwid', { body: { username }, appId: app })),
      }
    case 'SUBSCRIPTION_EXPIRED':
      if (target === '' || level === undefined) return undefined
      return {
        label: t`Add time`,
        title: t`Add time for ${username}?`,
        description: t`The time starts now.`,
        levels: levelNumbers.map((number, index) => ({ level: number, name: levels[index] ?? String(number) })),
        failure: t`Failed to add time`,
        run: recorded(({ level: chosen, duration, idempotencyKey }, app) =>
          call('POST /user/{username}/subscriptions', {
            params: { username },
            body: { level: chosen, duration },
            idempotencyKey,
            appId: app,
          }),
        ),
      }
    case 'SUBSCRIPTION_PAUSED':
      if (level === undefined) return undefined
      return {
        label: t`Activate the level`,
        title: t`Activate ${levelName}?`,
        description: t`All users with time left on this level can sign in again.`,
        ...switching(t`Failed to update subscription status`, (active, app) =>
          call('POST /toggle_subscription_status', { body: { level, active }, appId: app }),
        ),
      }
    case 'APP_DISABLED':
      return {
        label: t`Turn the app on`,
        title: t`Turn the app on?`,
        description: t`All of its customers can sign in again.`,
        ...switching(t`Failed to update app`, (appStatus, app) =>
          call('POST /update_app', { body: { settings: { appStatus } }, appId: app }),
        ),
      }
    default:
      return undefined
  }
}
