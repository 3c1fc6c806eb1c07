import { sql } from 'kysely'
import type { Database, Reader, Tx } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import { newSessionToken, sessionHash } from '../secrets/session-token.ts'

/** Password reset tokens: 256 random bits, stored as a hash, valid once and for a short time. */

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

/** The account the token is for. A token of one kind is not valid for another. */
export interface ResetSubject {
  kind: 'account' | 'reseller' | 'user'
  id: string
}

const textOf = ({ kind, id }: ResetSubject): string => `${kind}:${id}`

function subjectOf(text: string): ResetSubject {
  const end = text.indexOf(':')
  return { kind: text.slice(0, end) as ResetSubject['kind'], id: text.slice(end + 1) }
}

/** Creates a token; undefined after three within the last hour. The row of the subject must be locked. */
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

/**
 * Replaces all tokens of the subject by a new one, for links that an administrator or owner passes on. The row of the
 * subject must be locked.
 */
export async function replaceResets(tx: Tx, subject: ResetSubject, now: number): Promise<NewReset> {
  await endResets(tx, [subject], now)
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

/** The subject of a token that is still valid. */
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

/** True for exactly one caller; deletes all other tokens of the subject. The row of the subject must be locked. */
export async function takeReset(tx: Tx, token: string, subject: ResetSubject, now: number): Promise<boolean> {
  const query = tx.db
    .selectFrom('password_resets')
    .select('token_hash')
    .where('token_hash', '=', sessionHash(token))
    .where('subject', '=', textOf(subject))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
  if (!(await locking(tx.db, query).executeTakeFirst())) return false
  await endResets(tx, [subject], now)
  return true
}

/** Invalidates links that have already been sent. */
export async function endResets(tx: Tx, subjects: readonly ResetSubject[], now: number): Promise<void> {
  if (subjects.length === 0) return
  await tx.db
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('subject', 'in', subjects.map(textOf))
    .where('used_at', 'is', null)
    .execute()
}

export const forgetOldResets = (db: Database, now: number): Promise<void> =>
  deleteInBatches(db, 'password_resets', sql`created_at <= ${now - hourSeconds} order by created_at`)
