import type { Tx } from '#database/database.ts'
import { queueMail } from '#server/mail/mail.ts'
import { mailTime } from '#server/mail/mail-texts.ts'
import type { Person } from '#server/auth/sign-in-tables.ts'
import type { Services } from '#server/services.ts'
import { deviceName } from './device-name.rules.ts'
import type { SignInKind } from './sign-in-kinds.ts'

/** Security notifications by email, so that changes made by somebody else are noticed. */

interface MailContext {
  services: Services
  now: number
}

type AccountMail = 'password-changed' | 'email-changed' | 'email-change-requested' | 'two-factor-on' | 'two-factor-off'

/** Recipient: the current address, or the previous one. An account that is not set up has none. */
export async function mailAccount(
  tx: Tx,
  { services, now }: MailContext,
  kind: SignInKind,
  { id, username, email: to, language }: Pick<Person, 'id' | 'username' | 'email' | 'language'>,
  code: AccountMail,
): Promise<void> {
  if (to === null) return
  const brand = await kind.mailBrand(tx.db, id, now)
  await queueMail(tx, services, { to, language, code, values: { username }, brand }, now)
}

/** A sign-in from a new device. */
export async function mailNewSignIn(
  tx: Tx,
  { services, now, caller }: MailContext & { caller: { ip: string; userAgent: string } },
  { timeZoneOf, profilePage: page, mailBrand }: SignInKind,
  person: Person,
): Promise<void> {
  const { id, username, email: to, language } = person
  if (to === null) return
  const brand = await mailBrand(tx.db, id, now)
  const { ip, userAgent } = caller
  const time = mailTime(now, { timeZone: timeZoneOf(person), language })
  const values = { username, time, ip, browser: deviceName(userAgent), page }
  await queueMail(tx, services, { to, language, code: 'new-sign-in', values, brand }, now)
}
