import type { Database, Reader, Unit } from '#database/database.ts'
import {
  type ClientSession,
  countLiveSessionRows,
  deleteOldSessionRows,
  endSessionRows,
  findClientSession,
  insertClientSession,
  type SessionChoice,
  type SignedIn,
  updateClientSession,
  updateHeard,
  updateSignedIn,
} from './sessions.queries.ts'

/** Why a program's session ended; the code its next call is refused with. */
export type EndedCode = 'SESSION_ENDED' | 'LICENSE_BANNED' | 'USER_BANNED' | 'USER_PAUSED' | 'SESSION_REPLACED'

const mostAnnouncements = 200

/** Ends sessions so that their programs hear it on the next call, in every process. */
export async function endSessions(unit: Unit, choice: SessionChoice, code: EndedCode): Promise<number> {
  const ended = await endSessionRows(unit.trx, choice, code)
  if (ended.length > mostAnnouncements) unit.announce('session:*')
  else for (const tokenHash of ended) unit.announce(`session:${tokenHash}`)
  return ended.length
}

/** Signed-in, unexpired program sessions by app. */
export const countLiveSessions = (db: Reader, appIds: string[], now: number): Promise<Map<string, number>> =>
  countLiveSessionRows(db, appIds, now)

export type { ClientSession }

export const clientSession = (db: Reader, appId: string, tokenHash: string): Promise<ClientSession | undefined> =>
  findClientSession(db, appId, tokenHash)

export const startClientSession = (unit: Unit, session: ClientSession): Promise<void> =>
  insertClientSession(unit.trx, session)

/**
 * From here on the session speaks for a user. Announced only when it spoke for one before: nobody keeps
 * sessions without a user, and PostgreSQL lets one unit with announcements commit at a time.
 */
export async function signInClientSession(unit: Unit, session: ClientSession, signedIn: SignedIn): Promise<void> {
  await updateSignedIn(unit.trx, session, signedIn)
  if (session.user_id !== null) unit.announce(`session:${session.token_hash}`)
}

export async function changeClientSession(
  unit: Unit,
  session: { app_id: string; token_hash: string },
  change: Partial<ClientSession>,
): Promise<void> {
  await updateClientSession(unit.trx, session, change)
  unit.announce(`session:${session.token_hash}`)
}

/** Writes down when programs were last heard from. A session that was ended meanwhile stays ended. */
export async function keepHeartbeats(unit: Unit, sessions: readonly ClientSession[]): Promise<void> {
  for (const session of sessions) {
    await updateHeard(unit.trx, session)
  }
}

const keptSeconds = 86_400
const rowsPerUnit = 1000

/** Removes sessions that ended or expired more than a day ago: until then a program still hears why. */
export async function forgetOldSessions(db: Database, now: number): Promise<void> {
  let removed = rowsPerUnit
  while (removed === rowsPerUnit) {
    removed = await db.write(({ trx }) => deleteOldSessionRows(trx, now - keptSeconds, rowsPerUnit))
  }
}
