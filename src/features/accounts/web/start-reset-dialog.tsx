import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Coded } from '#web/api/code-text.ts'
import { successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import { OneTimeLink } from '#web/ui/one-time-link.tsx'

interface ResetLink {
  resetLink?: string
  expiresAt?: number
}

interface StartResetDialogProps {
  username: string
  send: () => Promise<Coded & ResetLink>
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
  const [made, setMade] = useState<ResetLink>()
  if (made?.resetLink !== undefined) {
    return (
      <OneTimeLink
        title={t`Password reset link for ${username}`}
        description={t`This server does not send mail, so pass the link on yourself. It sets a new password, works once, and is not shown again.`}
        label={t`Password reset link`}
        link={linkHere(made.resetLink)}
        expiresAt={made.expiresAt ?? 0}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmCall
      title={t`Reset the password of ${username}?`}
      description={t`A password reset link is emailed to ${username}. If this server does not send mail, the link is shown to you instead. The current password works until the link is used.`}
      confirmLabel={t`Create link`}
      send={send}
      failure={t`Failed to create the link`}
      report={(reply) => reply.resetLink === undefined && notify.success(successText(reply))}
      onDone={(reply) => (reply.resetLink === undefined ? onClose() : setMade(reply))}
      onClose={onClose}
    />
  )
}
