import { t } from '@lingui/core/macro'

/** Name of a kind of background work; for one of a newer server, its own name. */
export const kindText = (kind: string): string =>
  ({
    mail: t`Email`,
    webhook: t`Webhook delivery`,
    'webhook-clean-up': t`Webhook cleanup`,
    'password-reset': t`Password reset`,
    'user-password-reset': t`User password reset`,
    'mail-server-notice': t`Notice about the mail server`,
    'scan-download': t`Virus scan`,
    'sessions.end': t`Ending sessions`,
    alerts: t`Alert detection`,
  })[kind] ?? kind
