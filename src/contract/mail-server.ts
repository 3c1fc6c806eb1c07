/** Identity of a mail server, to which its password is bound. */
export interface MailServerAddress {
  smtpHost: string
  smtpPort: number
  useSSL: boolean
}

/** Nobody can read the password of the mail server, and another server needs it again: these can't be restored. */
export const needMailPassword: readonly string[] = ['smtpPassword', 'smtpHost', 'smtpPort', 'useSSL']

/** The same text for the same server with the same connection settings. */
export const mailServerKey = ({ smtpHost, smtpPort, useSSL }: MailServerAddress): string =>
  JSON.stringify([smtpHost.trim().toLowerCase(), smtpPort, useSSL])
