import type { Tx } from '#database/database.ts'
import { type NewMail, queueMail } from '../mail/mail.ts'
import type { MailValues } from '../mail/mail-texts.ts'
import { issueReset, resetMinutes, type ResetSubject } from './reset-tokens.ts'
import type { Services } from '../services.ts'

/** Path of the page that takes the token, by kind of email: for the dashboard, and for users of owners' programs. */
const pages = { 'password-reset': 'reset-password', 'user-password-reset': 'reset-user-password' } as const

type ResetMail = keyof typeof pages

/** The token is in the fragment, which is never sent to a server. */
export const resetLink = (publicUrl: string, mail: ResetMail, token: string): string =>
  `${publicUrl}/${pages[mail]}#${token}`

interface ResetLinkMail<C extends ResetMail> extends Pick<NewMail<C>, 'to' | 'language' | 'code' | 'brand'> {
  subject: ResetSubject
  values: Omit<MailValues<C>, 'link' | 'minutes'>
}

/** Emails a reset link to an account whose row is locked; false after three links within the last hour. */
export async function mailResetLink<C extends ResetMail>(
  tx: Tx,
  services: Services,
  { subject, values, code, ...to }: ResetLinkMail<C>,
  now: number,
): Promise<boolean> {
  const token = await issueReset(tx, subject, now)
  if (!token) return false
  const link = resetLink(to.brand?.url ?? services.config.publicUrl, code, token)
  const filled = { ...values, link, minutes: resetMinutes } as unknown as MailValues<C>
  await queueMail(tx, services, { ...to, code, values: filled, usefulUntil: now + resetMinutes * 60 }, now)
  return true
}
