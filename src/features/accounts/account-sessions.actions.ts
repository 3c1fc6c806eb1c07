import type { Reader, Tx } from '#database/database.ts'
import { forgetOldFailures } from '#server/login-throttle.ts'
import {
  type AccountSession,
  deleteEndedSessions,
  deleteSessionByHandle,
  deleteSessionsOf,
  findSessionRow,
  listSessions,
  updateSelectedApp,
} from './account-sessions.queries.ts'
import { deleteEndedPending } from './two-factor.queries.ts'

export type { AccountSession }

/** Remembers the app a session works on, for calls that don't name one. */
export const selectAppOfSession = (tx: Tx, sessionHash: string, appId: string): Promise<void> =>
  updateSelectedApp(tx.db, sessionHash, appId)

export const sessionsOfAccount = (db: Reader, accountId: string, now: number): Promise<AccountSession[]> =>
  listSessions(db, accountId, now)

export const sessionByHash = (db: Reader, sessionHash: string): Promise<AccountSession | undefined> =>
  findSessionRow(db, sessionHash)

/** Ends one of an account's sessions; gives its hash, or undefined when the account has none of that handle. */
export const endAccountSession = (tx: Tx, accountId: string, handle: string): Promise<string | undefined> =>
  deleteSessionByHandle(tx.db, accountId, handle)

export const endAccountSessions = (tx: Tx, accountId: string): Promise<number> => deleteSessionsOf(tx.db, accountId)

/** Removes sessions and sign-ins that have run out, and counts of failed ones that no longer matter. */
export async function forgetEndedSessions(tx: Tx, now: number): Promise<void> {
  await deleteEndedSessions(tx.db, now)
  await deleteEndedPending(tx.db, now)
  await forgetOldFailures(tx, now)
}
