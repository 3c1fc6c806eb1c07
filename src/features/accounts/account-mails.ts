import type { Tx } from '#database/database.ts'
import { queueMail } from '#server/mail.ts'
import { mailTime } from '#server/mail-texts.ts'
import type { Services } from '#server/services.ts'
import type { Account } from './accounts.reads.ts'
import { deviceName } from './device-name.rules.ts'

/** What the owner of an account hears by mail, so that somebody else's act doesn't stay unseen (R-AUTH-12). */

interface MailContext {
  services: Services
  now: number
}

type AccountMail = 'password-changed' | 'email-changed' | 'two-factor-on' | 'two-factor-off'

/** To the address that the account has, or had before this. */
export const mailAccount = (
  tx: Tx,
  { services, now }: MailContext,
  { username, email: to }: Pick<Account, 'username' | 'email'>,
  code: AccountMail,
): Promise<void> => queueMail(tx, services, { to, code, values: { username } }, now)

/** Somebody has signed in on a device that had not signed in before. */
export function mailNewSignIn(
  tx: Tx,
  { services, now, caller }: MailContext & { caller: { ip: string; userAgent: string } },
  { username, email: to, time_zone }: Account,
): Promise<void> {
  const { ip, userAgent } = caller
  const values = { username, time: mailTime(now, time_zone), ip, browser: deviceName(userAgent) || 'unknown' }
  return queueMail(tx, services, { to, code: 'new-sign-in', values }, now)
}
