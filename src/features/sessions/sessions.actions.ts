import type { Database, Tx } from '#database/database.ts'
import type { ClientSession } from './sessions.reads.ts'
import {
  deleteOldSessionRows,
  endSessionRows,
  insertClientSession,
  type SessionChoice,
  type SignedIn,
  updateClientSession,
  updateHeard,
  updateSignedIn,
} from './sessions.writes.ts'

/** Why a program's session ended; the code its next call is refused with. */
export type EndedCode = 'SESSION_ENDED' | 'LICENSE_BANNED' | 'USER_BANNED' | 'USER_PAUSED' | 'SESSION_REPLACED'

const maxAnnouncements = 200

/** Ends sessions so that their programs hear it on the next call, in every process. */
export async function endSessions(tx: Tx, choice: SessionChoice, code: EndedCode): Promise<number> {
  const ended = await endSessionRows(tx.db, choice, code)
  if (ended.length > maxAnnouncements) tx.publish('session:*')
  else for (const tokenHash of ended) tx.publish(`session:${tokenHash}`)
  return ended.length
}

export const startClientSession = (tx: Tx, session: ClientSession): Promise<void> => insertClientSession(tx.db, session)

/**
 * From here on the session speaks for a user. Announced only when it spoke for one before: nobody keeps
 * sessions without a user, and PostgreSQL lets one transaction that publishes commit at a time.
 */
export async function signInClientSession(tx: Tx, session: ClientSession, signedIn: SignedIn): Promise<void> {
  await updateSignedIn(tx.db, session, signedIn)
  if (session.user_id !== null) tx.publish(`session:${session.token_hash}`)
}

export async function changeClientSession(
  tx: Tx,
  session: { app_id: string; token_hash: string },
  change: Partial<ClientSession>,
): Promise<void> {
  await updateClientSession(tx.db, session, change)
  tx.publish(`session:${session.token_hash}`)
}

/** Writes down when programs were last heard from. A session that was ended meanwhile stays ended. */
export async function keepHeartbeats(tx: Tx, sessions: readonly ClientSession[]): Promise<void> {
  for (const session of sessions) {
    await updateHeard(tx.db, session)
  }
}

const retentionSeconds = 86_400
const rowsPerTransaction = 1000

/** Removes sessions that ended or expired more than a day ago: until then a program still hears why. */
export async function forgetOldSessions(db: Database, now: number): Promise<void> {
  let removed = rowsPerTransaction
  while (removed === rowsPerTransaction) {
    removed = await db.write(({ db: trx }) => deleteOldSessionRows(trx, now - retentionSeconds, rowsPerTransaction))
  }
}
