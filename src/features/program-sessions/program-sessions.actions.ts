import { reject } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { endSessions } from '../session-store/session-store.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { expectedRows } from '#server/bulk/expected-rows.ts'
import { programSessionsErrors } from './program-sessions.errors.ts'
import { listSessionIdsAfter, type SessionFilter } from './program-sessions.reads.ts'

/** Ends a session; a session that has already ended is not found. */
export async function deleteProgramSession(tx: Tx, context: AppContext, sessionId: string): Promise<void> {
  const ended = await endSessions(tx, { appId: context.app.id, handles: [sessionId] }, 'SESSION_ENDED')
  if (ended.length === 0) reject(programSessionsErrors, 'SESSION_NOT_FOUND')
  await recordAudit(tx, context, { act: 'session.delete', target: sessionId })
}

/** Ends the given sessions that are still live; returns their number. */
export async function deleteProgramSessions(
  tx: Tx,
  context: AppContext,
  sessionIds: readonly string[],
): Promise<number> {
  const ended = await endSessions(tx, { appId: context.app.id, handles: sessionIds }, 'SESSION_ENDED')
  await recordAudit(tx, context, { act: 'session.bulk-delete', target: { noun: 'sessions', names: ended } })
  return ended.length
}

/** Small enough that heartbeats run between two transactions. */
export const sessionsPerTransaction = 500

/** Ends all sessions that match a filter, if no more than expected do; returns their number. */
export async function deleteMatchingSessions(
  context: AppContext & { services: { db: Database } },
  filter: Omit<SessionFilter, 'appId'>,
  expectedCount?: number,
): Promise<number> {
  const { db } = context.services
  const matching = scanSessionIds(db, { ...filter, appId: context.app.id })
  let deleted = 0
  for await (const sessionIds of expectedRows(matching, { count: expectedCount, mayBeFewer: true }))
    deleted += await db.write((tx) => deleteProgramSessions(tx, context, sessionIds))
  return deleted
}

async function* scanSessionIds(db: Database, filter: SessionFilter): AsyncGenerator<readonly string[]> {
  for (let after = ''; ;) {
    const sessionIds = await listSessionIdsAfter(db.reports, { ...filter, after, limit: sessionsPerTransaction })
    const last = sessionIds.at(-1)
    if (last === undefined) return
    throwIfAborted()
    yield sessionIds
    after = last
  }
}
