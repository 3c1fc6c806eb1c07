import type { Reader, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { newSessionToken, sessionHash } from '../http/session-cookies.ts'

/** Links that set a new password: 256 random bits, stored as a hash, good once and not for long (R-AUTH-10). */

export interface PasswordResetsTable {
  token_hash: string
  subject: string
  created_at: number
  expires_at: number
  used_at: number | null
}

declare module '#database/schema.ts' {
  interface Schema {
    password_resets: PasswordResetsTable
  }
}

export const resetMinutes = 30
const maxInAnHour = 3
const hourSeconds = 3600

/** Whose password it is: a token of one kind counts for no other. */
export interface ResetSubject {
  kind: 'account' | 'reseller' | 'user'
  id: string
}

const textOf = ({ kind, id }: ResetSubject): string => `${kind}:${id}`

function subjectOf(text: string): ResetSubject {
  const end = text.indexOf(':')
  return { kind: text.slice(0, end) as ResetSubject['kind'], id: text.slice(end + 1) }
}

/** A new token, or undefined when there were three in the last hour. For a subject whose row is locked. */
export async function issueReset(tx: Tx, subject: ResetSubject, now: number): Promise<string | undefined> {
  const recent = await tx.db
    .selectFrom('password_resets')
    .select('token_hash')
    .where('subject', '=', textOf(subject))
    .where('created_at', '>', now - hourSeconds)
    .limit(maxInAnHour)
    .execute()
  return recent.length === maxInAnHour ? undefined : (await insertReset(tx, subject, now)).token
}

/** A new token in place of all that the subject has; for links that somebody passes on. For a locked subject. */
export async function replaceResets(tx: Tx, subject: ResetSubject, now: number): Promise<NewReset> {
  await endResets(tx, subject, now)
  return insertReset(tx, subject, now)
}

interface NewReset {
  token: string
  /** Epoch seconds. */
  expiresAt: number
}

async function insertReset(tx: Tx, subject: ResetSubject, now: number): Promise<NewReset> {
  const token = newSessionToken()
  const expiresAt = now + resetMinutes * 60
  await tx.db
    .insertInto('password_resets')
    .values({
      token_hash: sessionHash(token),
      subject: textOf(subject),
      created_at: now,
      expires_at: expiresAt,
      used_at: null,
    })
    .execute()
  return { token, expiresAt }
}

/** Whose token it is, while it still counts. */
export async function findReset(
  db: Reader,
  token: string,
  { kinds, now }: { kinds: readonly ResetSubject['kind'][]; now: number },
): Promise<ResetSubject | undefined> {
  const row = await db
    .selectFrom('password_resets')
    .select('subject')
    .where('token_hash', '=', sessionHash(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  const subject = row && subjectOf(row.subject)
  return subject && kinds.includes(subject.kind) ? subject : undefined
}

/** True for one caller; every other token of the subject ends with it. For a subject whose row is locked. */
export async function takeReset(tx: Tx, token: string, subject: ResetSubject, now: number): Promise<boolean> {
  const query = tx.db
    .selectFrom('password_resets')
    .select('token_hash')
    .where('token_hash', '=', sessionHash(token))
    .where('subject', '=', textOf(subject))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
  if (!(await locking(tx.db, query).executeTakeFirst())) return false
  await endResets(tx, subject, now)
  return true
}

/** Links that are on their way open nothing any more. */
export async function endResets(tx: Tx, subject: ResetSubject, now: number): Promise<void> {
  await tx.db
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('subject', '=', textOf(subject))
    .where('used_at', 'is', null)
    .execute()
}

const maxForgotten = 500

/** False when there may be more, for another transaction. */
export async function forgetOldResets(tx: Tx, now: number): Promise<boolean> {
  const old = await tx.db
    .selectFrom('password_resets')
    .select('token_hash')
    .where('created_at', '<=', now - hourSeconds)
    .orderBy('created_at')
    .limit(maxForgotten)
    .execute()
  for (const { token_hash } of old)
    await tx.db.deleteFrom('password_resets').where('token_hash', '=', token_hash).execute()
  return old.length < maxForgotten
}
