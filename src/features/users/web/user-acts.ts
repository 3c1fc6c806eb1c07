import { t } from '@lingui/core/macro'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { refreshUsers, type User } from './user-list.ts'

/** Acts on one user from the row's menu; what can be taken back offers Undo. */
async function act(run: () => Promise<{ message?: string }>, failure: string, onUndo?: () => void): Promise<void> {
  try {
    const { message = '' } = await run()
    notify.success(message, onUndo ? { action: { label: t`Undo`, onAction: onUndo } } : {})
  } catch (error) {
    notify.error(failureText(error, failure))
  }
  await refreshUsers()
}

type Named = Pick<User, 'username'>

export const setBanned = ({ username }: Named, banned: boolean, isUndo = false): Promise<void> =>
  act(
    () => call('POST /toggle_ban_user', { body: { username, banned } }),
    t`Failed to ban user`,
    isUndo ? undefined : () => void setBanned({ username }, !banned, true),
  )

export const setPaused = ({ username }: Named, paused: boolean, isUndo = false): Promise<void> =>
  act(
    () => call('POST /toggle_pause_user', { body: { username, paused } }),
    t`Failed to pause user`,
    isUndo ? undefined : () => void setPaused({ username }, !paused, true),
  )

export const resetHwid = ({ username }: Named): Promise<void> =>
  act(() => call('POST /reset_user_hwid', { body: { username } }), t`Failed to reset HWID`)

export const deleteUser = ({ username }: Named): Promise<void> =>
  act(() => call('POST /delete_user', { body: { username } }), t`Failed to delete user`)
