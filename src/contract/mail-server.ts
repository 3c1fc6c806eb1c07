/** Where mail leaves: what the password of a mail server is given for. */
export interface MailServerAddress {
  smtpHost: string
  smtpPort: number
  useSSL: boolean
}

/** The same text for the same server, reached the same way. */
export const mailServerKey = ({ smtpHost, smtpPort, useSSL }: MailServerAddress): string =>
  JSON.stringify([smtpHost.trim().toLowerCase(), smtpPort, useSSL])
