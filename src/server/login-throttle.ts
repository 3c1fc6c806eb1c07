import { type Generated, sql, type Transaction } from 'kysely'
import type { Tx } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import { cooldownRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'

export interface LoginFailuresTable {
  subject: string
  failures: number
  first_at: number
  blocked_until: Generated<number>
}

declare module '#database/schema.ts' {
  interface Schema {
    login_failures: LoginFailuresTable
  }
}

/**
 * Failed sign-ins are counted before the password is looked at, so that parallel guesses can't
 * slip through (R-AUTH-01). The count by account and network locks first; an attacker elsewhere
 * can slow an account down but not lock its owner out (R-AUTH-03).
 */
export interface ThrottleRule {
  /** Failures of one account from one network before the cooldown. */
  maxFailures: number
  cooldownSeconds: number
}

const networkFactor = 10
const accountFactor = 20

const subjectsOf = (login: string, network: string, max: number) => [
  { subject: `pair:${login}|${network}`, max },
  { subject: `network:${network}`, max: max * networkFactor },
  { subject: `account:${login}`, max: max * accountFactor },
]

/** Counts an attempt; says how many seconds to wait instead, or 0 when the password may be checked. */
export async function countAttempt(
  { db: trx }: Tx,
  { login, network, now, rule }: { login: string; network: string; now: number; rule: ThrottleRule },
): Promise<number> {
  let wait = 0
  for (const { subject, max } of subjectsOf(login, network, rule.maxFailures)) {
    const blockedUntil = await countFailure(trx, { subject, max, now, cooldown: rule.cooldownSeconds })
    wait = Math.max(wait, blockedUntil - now)
  }
  return wait
}

interface OneSubject {
  subject: string
  maxFailures: number
  cooldownSeconds: number
  now: number
}

/** As `countAttempt`, of one subject alone: codes are counted by account, wherever they come from. */
export async function countAttemptOf({ db: trx }: Tx, { subject, maxFailures, cooldownSeconds, now }: OneSubject) {
  const blockedUntil = await countFailure(trx, { subject, max: maxFailures, now, cooldown: cooldownSeconds })
  return Math.max(0, blockedUntil - now)
}

export async function forgetAttemptsOf({ db: trx }: Tx, subject: string): Promise<void> {
  await trx.deleteFrom('login_failures').where('subject', '=', subject).execute()
}

/** One statement, so that parallel attempts each see the count of the one before. */
async function countFailure(
  trx: Transaction<Schema>,
  { subject, max, now, cooldown }: { subject: string; max: number; now: number; cooldown: number },
): Promise<number> {
  const fresh = sql`(${now} - f.first_at >= ${cooldown} or f.blocked_until > 0)`
  const blocked = sql`f.blocked_until > ${now}`
  const { rows } = await sql<{ blocked_until: number }>`
    insert into login_failures as f (subject, failures, first_at, blocked_until) values (${subject}, 1, ${now}, 0)
    on conflict (subject) do update set
      failures = case when ${blocked} then f.failures when ${fresh} then 1 else f.failures + 1 end,
      first_at = case when ${blocked} then f.first_at when ${fresh} then ${now} else f.first_at end,
      blocked_until = case
        when ${blocked} then f.blocked_until
        when ${fresh} or f.failures < ${max} then 0
        else ${now + cooldown} end
    returning blocked_until`.execute(trx)
  return rows[0]?.blocked_until ?? 0
}

/** A right password takes back what its attempt had counted. */
export async function forgetAttempts({ db: trx }: Tx, login: string, network: string): Promise<void> {
  await trx.deleteFrom('login_failures').where('subject', '=', `pair:${login}|${network}`).execute()
  await trx
    .updateTable('login_failures')
    .set((row) => ({ failures: row('failures', '-', 1) }))
    .where('subject', 'in', [`network:${network}`, `account:${login}`])
    .where('failures', '>', 0)
    .execute()
}

const failureRetentionSeconds = 86_400

export async function forgetOldFailures({ db: trx }: Tx, now: number): Promise<void> {
  await trx
    .deleteFrom('login_failures')
    .where('first_at', '<', now - failureRetentionSeconds)
    .where('blocked_until', '<', now)
    .execute()
}

export function refuseUntilCooldownEnds(seconds: number): never {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`
  refuse(cooldownRefusals, 'LOGIN_COOLDOWN', { values: { wait, minutes }, details: { retryAfterSeconds: seconds } })
}
