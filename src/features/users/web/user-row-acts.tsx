import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { failureText, successText } from '#web/errors.ts'
import { notify, notifyUndoable } from '#web/notify.ts'
import type { Coded } from '#web/texts/code-text.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { refreshUsers, type User } from './user-list.ts'

export type OneUserAct = 'ban' | 'pause' | 'reset-hwid' | 'delete'

/** Confirms an act on one user (part 1 §4: ban and pause are toggled with confirmation). */
export function OneUserDialog({ act, user: current, onClose }: { act: OneUserAct; user: User; onClose: () => void }) {
  // The list refreshes while this is still open: what it asks must not turn into its opposite.
  const [user] = useState(current)
  const run = useMutation({ mutationFn: () => actOnUser(act, user), onSettled: onClose })
  const { username } = user
  const words = {
    ban: user.banned
      ? { title: t`Unban ${username}?`, text: t`The user may sign in again at once.`, confirm: t`Unban` }
      : { title: t`Ban ${username}?`, text: t`Live sessions end at once, and signing in is refused.`, confirm: t`Ban` },
    pause: user.paused
      ? {
          title: t`Unpause ${username}?`,
          text: t`The time that was left at the pause goes on from now.`,
          confirm: t`Unpause`,
        }
      : {
          title: t`Pause ${username}?`,
          text: t`The time that is left is kept, and programs are refused until you unpause.`,
          confirm: t`Pause`,
        },
    'reset-hwid': {
      title: t`Reset the HWID of ${username}?`,
      text: t`The next machine that signs in is bound.`,
      confirm: t`Reset HWID`,
    },
    delete: {
      title: t`Delete ${username}?`,
      text: t`Subscriptions and variables go too. This action cannot be undone.`,
      confirm: t`Delete`,
    },
  }[act]
  return (
    <ConfirmDialog
      title={words.title}
      description={words.text}
      confirmLabel={words.confirm}
      danger={act === 'delete' || (act === 'ban' && !user.banned) || (act === 'pause' && !user.paused)}
      busy={run.isPending}
      error={undefined}
      onConfirm={() => run.mutate()}
      onClose={onClose}
    />
  )
}

function actOnUser(act: OneUserAct, user: User): Promise<void> {
  switch (act) {
    case 'ban':
      return setBanned(user, !user.banned)
    case 'pause':
      return setPaused(user, !user.paused)
    case 'reset-hwid':
      return resetHwid(user)
    default:
      return deleteUser(user)
  }
}

/** Acts on one user from the row's menu; what can be taken back offers Undo. */
async function act(run: () => Promise<Coded>, failure: string, onUndo?: () => void): Promise<void> {
  try {
    const text = successText(await run())
    if (onUndo) notifyUndoable(text, onUndo)
    else notify.success(text)
  } catch (error) {
    notify.error(failureText(error, failure))
  }
  await refreshUsers()
}

type Named = Pick<User, 'username'>

const setBanned = ({ username }: Named, banned: boolean, isUndo = false): Promise<void> =>
  act(
    () => call('POST /toggle_ban_user', { body: { username, banned } }),
    t`Failed to ban user`,
    isUndo ? undefined : () => void setBanned({ username }, !banned, true),
  )

const setPaused = ({ username }: Named, paused: boolean, isUndo = false): Promise<void> =>
  act(
    () => call('POST /toggle_pause_user', { body: { username, paused } }),
    t`Failed to pause user`,
    isUndo ? undefined : () => void setPaused({ username }, !paused, true),
  )

const resetHwid = ({ username }: Named): Promise<void> =>
  act(() => call('POST /reset_user_hwid', { body: { username } }), t`Failed to reset HWID`)

const deleteUser = ({ username }: Named): Promise<void> =>
  act(() => call('POST /delete_user', { body: { username } }), t`Failed to delete user`)
