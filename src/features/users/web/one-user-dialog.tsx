import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { deleteUser, resetHwid, setBanned, setPaused } from './user-acts.ts'
import type { User } from './user-list.ts'

export type OneUserAct = 'ban' | 'pause' | 'reset-hwid' | 'delete'

/** Asks before something is done to one user (part 1 §4: ban and pause are toggled with confirmation). */
export function OneUserDialog({ act, user: current, onClose }: { act: OneUserAct; user: User; onClose: () => void }) {
  // The list refreshes while this is still open: what was asked must not turn into its opposite.
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
      danger={act === 'delete' || (act === 'ban' && !user.banned)}
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
