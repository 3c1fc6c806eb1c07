import { countAll } from '#database/count-all.ts'
import { type Generated, sql } from 'kysely'
import { cooldownErrors } from '#contract/common-errors.ts'
import { reject as rejectWith } from '#contract/errors.ts'
import type { Database, Reader, Tx } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import type { Services } from '../services.ts'

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

/** One attempt at a password, with the counters that a failure increases. */
export interface Attempt {
  /** The dashboard or one app: guesses in one realm do not throttle another. */
  realm: string
  /** The account, however it was named; the typed name if there is no such account. */
  account: string
  network: string
  /** Evidence that the account has signed in from this device; undefined for an unknown device. */
  device: string | undefined
}

/** Limit for one network across all accounts, relative to the limit for one account from one network. */
const networkFactor = 10
/** Failures of one account, and of a whole realm, above which unknown devices get fewer attempts. */
const accountFactor = 20
const realmFactor = 200

/** In locking order. */
function subjectsOf({ realm, account, network, device }: Attempt) {
  // A name may contain a lone surrogate, which no database returns unchanged.
  const name = `${realm}|${account.toWellFormed()}`
  return {
    own: device === undefined ? `pair:${name}|${network}` : `device:${name}|${device}`,
    network: `network:${realm}|${network}`,
    account: `account:${name}`,
    realm: `realm:${realm}`,
  }
}

/**
 * Counts an attempt before the password is checked, so that parallel guesses cannot bypass the limit, or
 * rejects it until the cooldown ends. Guesses from elsewhere never lock out the account: a known device is
 * limited only by its own failures, and a network without failures always has an attempt.
 */
export async function beginAttempt(
  { db, settings }: Pick<Services, 'settings'> & { db: Pick<Database, 'write'> },
  attempt: Attempt,
  now: number,
): Promise<void> {
  const { platform } = await settings.current()
  const max = Math.max(1, platform.maxFailedLoginAttempts)
  const cooldownSeconds = platform.loginCooldownMinutes * 60
  const subjects = subjectsOf(attempt)
  const isKnown = attempt.device !== undefined
  const isRealmPressed: Pressure = (failures) => failures(subjects.realm) >= max * realmFactor
  const isPressed: Pressure = (failures) =>
    isRealmPressed(failures) || failures(subjects.account) >= max * accountFactor
  await countOrReject(db, { now, cooldownSeconds }, [
    { subject: subjects.own, max: (failures) => (!isKnown && isPressed(failures) ? 1 : max) },
    {
      subject: subjects.network,
      max: (failures) => (isKnown ? Infinity : isRealmPressed(failures) ? max : max * networkFactor),
    },
    { subject: subjects.account, max: () => Infinity },
    { subject: subjects.realm, max: () => Infinity },
  ])
}

/**
 * A correct password resets the counters of its device, or of its network and account, and takes back its attempt from
 * the others.
 */
export async function endAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  const { own, network, account, realm } = subjectsOf(attempt)
  await endCount(tx, own)
  await undoAttempts(tx, attempt, [network, account, realm])
}

/** For a known device, its network has no limit. */
async function undoAttempts(tx: Tx, attempt: Attempt, subjects: readonly string[]): Promise<void> {
  const { network } = subjectsOf(attempt)
  const isKnown = attempt.device !== undefined
  for (const subject of subjects) await undoAttempt(tx, subject, { hadLimit: !(isKnown && subject === network) })
}

/**
 * Does work on which the verdict about a counted attempt depends. If it ends without one, such as when the server is
 * busy, the attempt is taken back from all counters.
 */
export async function orUndoAttempt<T>(
  db: Pick<Database, 'write'>,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await takeBackAttempt(db, attempt)
    throw error
  }
}

/** An attempt that wasn't checked, or whose sign-in failed in the server, is no guess: takes it back from all counters. */
export const takeBackAttempt = (db: Pick<Database, 'write'>, attempt: Attempt): Promise<void> =>
  db.write((tx) => undoAttempts(tx, attempt, Object.values(subjectsOf(attempt))))

type Failures = (subject: string) => number
type Pressure = (failures: Failures) => boolean

export interface Counter {
  subject: string
  /**
   * Number of failures after which the caller must wait, given the counters of the other subjects; Infinity for no
   * limit.
   */
  max: (failures: Failures) => number
}

interface Cooldown {
  /** Epoch seconds. */
  now: number
  cooldownSeconds: number
  reject?: (seconds: number) => never
}

/** Increments each counter, or rejects the attempt if one is full. A rejected attempt changes nothing. */
export async function countOrReject(
  db: Pick<Database, 'write'>,
  cooldown: Cooldown,
  counters: readonly Counter[],
): Promise<void> {
  const { now, cooldownSeconds, reject = rejectUntilCooldownEnds } = cooldown
  const wait = await db.write(async (tx) => {
    const stored = await lockCounts(
      tx,
      counters.map(({ subject }) => subject),
      now,
    )
    const counts = new Map(stored.map((row) => [row.subject, countAt(row, cooldown)]))
    const failures: Failures = (subject) => counts.get(subject)?.failures ?? 0
    const next: Count[] = []
    for (const { subject, max } of counters) {
      const count = counts.get(subject) as Count
      const limit = max(failures)
      if (count.failures >= limit) {
        const seconds = (count.blockedUntil || count.firstAt + cooldownSeconds) - now
        if (!count.isCorrected) reject(seconds)
        await storeCounts(tx, [count])
        return seconds
      }
      next.push({ ...count, failures: count.failures + 1, blockedUntil: blockAfter(count, limit, cooldown) })
    }
    await storeCounts(tx, next)
    return 0
  })
  if (wait > 0) reject(wait)
}

/** An attempt without a limit, such as one of a known device, neither starts a block of others nor lifts it. */
function blockAfter({ failures, blockedUntil }: Count, limit: number, { now, cooldownSeconds }: Cooldown): number {
  if (limit === Infinity) return blockedUntil
  return failures + 1 >= limit ? now + cooldownSeconds : 0
}

interface Count {
  subject: string
  failures: number
  firstAt: number
  blockedUntil: number
  /** True when the clock was set back, or the cooldown shortened, since this was stored. */
  isCorrected: boolean
}

/** The current count of a row. Setting the clock back does not extend a cooldown. */
function countAt(
  { subject, failures, first_at, blocked_until }: StoredCount,
  { now, cooldownSeconds }: Cooldown,
): Count {
  const firstAt = Math.min(first_at, now)
  const blockedUntil = Math.min(blocked_until, now + cooldownSeconds)
  const isOver = blockedUntil > 0 ? blockedUntil <= now : now - firstAt >= cooldownSeconds
  if (isOver) return { subject, failures: 0, firstAt: now, blockedUntil: 0, isCorrected: false }
  const isCorrected = firstAt !== first_at || blockedUntil !== blocked_until
  return { subject, failures, firstAt, blockedUntil, isCorrected }
}

interface StoredCount {
  subject: string
  failures: number
  first_at: number
  blocked_until: number
}

/** Also creates the rows of subjects without failures, so that parallel attempts wait for each other. */
async function lockCounts(tx: Tx, subjects: readonly string[], now: number): Promise<StoredCount[]> {
  const rows = sql.join(subjects.map((subject) => sql`(${subject}, 0, ${now}, 0)`))
  const { rows: counts } = await sql<StoredCount>`
    insert into login_failures as stored (subject, failures, first_at, blocked_until) values ${rows}
    on conflict (subject) do update set failures = stored.failures
    returning subject, failures, first_at, blocked_until`.execute(tx.db)
  return counts
}

async function storeCounts(tx: Tx, counts: readonly Count[]): Promise<void> {
  const rows = sql.join(
    counts.map(
      ({ subject, failures, firstAt, blockedUntil }) => sql`(${subject}, ${failures}, ${firstAt}, ${blockedUntil})`,
    ),
  )
  await sql`
    insert into login_failures (subject, failures, first_at, blocked_until) values ${rows}
    on conflict (subject) do update set
      failures = excluded.failures, first_at = excluded.first_at, blocked_until = excluded.blocked_until
    `.execute(tx.db)
}

export async function endCount(tx: Tx, subject: string): Promise<void> {
  await tx.db.deleteFrom('login_failures').where('subject', '=', subject).execute()
}

/**
 * Takes back this attempt only: earlier failures of others still count (password spraying), and so does their block if
 * the attempt had no limit and can't have started it.
 */
export async function undoAttempt(tx: Tx, subject: string, { hadLimit = true } = {}): Promise<void> {
  await tx.db
    .updateTable('login_failures')
    .set((row) => ({ failures: row('failures', '-', 1), ...(hadLimit && { blocked_until: 0 }) }))
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute()
}

/** Number of devices and networks that can't try again before their cooldown ends. Reads all failures. */
export async function countLockedSignIns(reports: Reader, realm: string, now: number): Promise<number> {
  const ofRealm = ['pair', 'device', 'network'].map((subject) => `${subject}:${realm}|%`)
  return countAll(
    reports
      .selectFrom('login_failures')
      .where('blocked_until', '>', now)
      .where((where) => where.or(ofRealm.map((pattern) => where('subject', 'like', pattern)))),
  )
}

const minRetentionSeconds = 86_400

export async function forgetOldFailures(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  now: number,
): Promise<void> {
  const { platform } = await settings.current()
  const before = now - Math.max(minRetentionSeconds, platform.loginCooldownMinutes * 60)
  await deleteInBatches(db, 'login_failures', sql`first_at < ${before} and blocked_until < ${now} order by first_at`)
}

export function rejectUntilCooldownEnds(seconds: number): never {
  const minutes = Math.ceil(seconds / 60)
  rejectWith(cooldownErrors, 'LOGIN_COOLDOWN', { values: { minutes }, details: { retryAfterSeconds: seconds } })
}
