/** Identity of a mail server, to which its password is bound. */
export interface MailServerAddress {
  smtpHost: string
  smtpPort: number
  useSSL: boolean
}

/** Fields that undo can't restore: the password can't be read back, and a change of server requires entering it again. */
export const needMailPassword: readonly string[] = ['smtpPassword', 'smtpHost', 'smtpPort', 'useSSL']

/** The same text for the same server with the same connection settings. */
export const mailServerKey = ({ smtpHost, smtpPort, useSSL }: MailServerAddress): string =>
  JSON.stringify([smtpHost.trim().toLowerCase(), smtpPort, useSSL])
