import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { endSessions } from '../session-store/session-store.actions.ts'
import { type AppContext, recordAudit } from '#server/audit.ts'
import { programSessionsErrors } from './program-sessions.errors.ts'

/** Ends a session; one that has ended before is as missing as one that never was. */
export async function deleteProgramSession(tx: Tx, context: AppContext, sessionId: string): Promise<void> {
  const ended = await endSessions(tx, { appId: context.app.id, handles: [sessionId] }, 'SESSION_ENDED')
  if (ended.length === 0) reject(programSessionsErrors, 'SESSION_NOT_FOUND')
  await recordAudit(tx, context, { act: 'session.delete', target: sessionId })
}

/** Ends those of these sessions that still run, and says how many. */
export async function deleteProgramSessions(
  tx: Tx,
  context: AppContext,
  sessionIds: readonly string[],
): Promise<number> {
  const ended = await endSessions(tx, { appId: context.app.id, handles: sessionIds }, 'SESSION_ENDED')
  await recordAudit(tx, context, { act: 'session.bulk-delete', target: { noun: 'sessions', names: ended } })
  return ended.length
}
