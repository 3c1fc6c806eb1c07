import type { Tx } from '#database/database.ts'
import { queueMail } from '#server/mail/mail.ts'
import { mailTime } from '#server/mail/mail-texts.ts'
import type { Services } from '#server/services.ts'
import type { Account } from './accounts.reads.ts'
import { deviceName } from './device-name.rules.ts'

/** What the owner of an account hears by mail, so that somebody else's act doesn't stay unseen (R-AUTH-12). */

interface MailContext {
  services: Services
  now: number
}

type AccountMail = 'password-changed' | 'email-changed' | 'email-change-requested' | 'two-factor-on' | 'two-factor-off'

/** To the address that the account has, or had before this. */
export const mailAccount = (
  tx: Tx,
  { services, now }: MailContext,
  { username, email: to, language }: Pick<Account, 'username' | 'email' | 'language'>,
  code: AccountMail,
): Promise<void> => queueMail(tx, services, { to, language, code, values: { username } }, now)

interface SignedIn extends Pick<Account, 'username' | 'email' | 'language'> {
  timeZone: string | null
  /** Where a stranger is thrown out: where sessions are listed, or a new password is asked for. */
  page: 'profile' | 'login'
}

/** Somebody has signed in on a device that had not signed in before. */
export function mailNewSignIn(
  tx: Tx,
  { services, now, caller }: MailContext & { caller: { ip: string; userAgent: string } },
  { username, email: to, language, timeZone, page }: SignedIn,
): Promise<void> {
  const { ip, userAgent } = caller
  const time = mailTime(now, { timeZone, language })
  const values = { username, time, ip, browser: deviceName(userAgent), page }
  return queueMail(tx, services, { to, language, code: 'new-sign-in', values }, now)
}
