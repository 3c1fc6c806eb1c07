/** Identity of a mail server, to which its password is bound. */
export interface MailServerAddress {
  smtpHost: string
  smtpPort: number
  useSSL: boolean
}

/** The same text for the same server with the same connection settings. */
export const mailServerKey = ({ smtpHost, smtpPort, useSSL }: MailServerAddress): string =>
  JSON.stringify([smtpHost.trim().toLowerCase(), smtpPort, useSSL])
