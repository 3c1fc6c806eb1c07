import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { type Subscription, toggleSubscription } from './subscriptions-data.ts'

/** Says how many customers a pause rejects; Undo follows it. */
export function PauseSubscriptionDialog({
  subscription,
  onClose,
}: {
  subscription: Subscription
  onClose: () => void
}) {
  // The list refreshes while the dialog is open; its question must not turn into the opposite.
  const [{ name, userCount: users, active, level }] = useState(subscription)
  const word = t`pause`
  return (
    <ConfirmDialog
      title={t`Pause ${name}?`}
      description={t`Programs of its users are rejected until you activate it again. Their time keeps running.`}
      impact={plural(users, { one: 'In use by # user.', other: 'In use by # users.' })}
      {...(users > 0 && {
        typedName: word,
        isWord: true,
        typedLabel: t`Type “${word}” to confirm`,
        typedMismatch: t`The confirmation text doesn't match`,
      })}
      confirmLabel={t`Pause`}
      onConfirm={() => {
        if (active) void toggleSubscription({ level, active })
        onClose()
      }}
      onClose={onClose}
    />
  )
}
