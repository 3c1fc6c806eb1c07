import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { failureText, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { OneTimeLink } from '#web/ui/one-time-link.tsx'

interface StartResetDialogProps {
  username: string
  send: () => Promise<Parameters<typeof successText>[0] & { resetLink?: string; expiresAt?: number }>
  onClose: () => void
}

/**
 * The link with the URL this browser uses for the server, because the reader is more likely to reach that than
 * PUBLIC_URL.
 */
function linkHere(link: string): string {
  const { pathname, hash } = new URL(link)
  return new URL(pathname + hash, location.origin).href
}

/** Starts a password reset for another account: the link is emailed, or shown here to pass on. */
export function StartResetDialog({ username, send, onClose }: StartResetDialogProps) {
  const start = useMutation({
    mutationFn: send,
    onSuccess: (reply) => {
      if (reply.resetLink !== undefined) return
      notify.success(successText(reply))
      onClose()
    },
  })
  if (start.data?.resetLink !== undefined) {
    return (
      <OneTimeLink
        title={t`Password reset link for ${username}`}
        description={t`This server does not send mail, so pass the link on yourself. It sets a new password, works once, and is not shown again.`}
        label={t`Password reset link`}
        link={linkHere(start.data.resetLink)}
        expiresAt={start.data.expiresAt ?? 0}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      title={t`Reset the password of ${username}?`}
      description={t`A password reset link is emailed to ${username}. If this server does not send mail, the link is shown to you instead. The current password works until the link is used.`}
      confirmLabel={t`Create link`}
      busy={start.isPending}
      error={start.error ? failureText(start.error, t`Failed to create the link`) : undefined}
      onConfirm={() => start.mutate()}
      onClose={onClose}
    />
  )
}
