import type { Reader, Unit } from '#database/database.ts'
import { countLiveSessionRows, endSessionRows, type SessionChoice } from './sessions.queries.ts'

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
