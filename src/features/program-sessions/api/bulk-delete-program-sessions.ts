import { done } from '#contract/define-call.ts'
import { reject } from '#contract/errors.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { deleteProgramSessions } from '../program-sessions.actions.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'
import { listSessionIdsAfter } from '../program-sessions.reads.ts'
import { programSessionsErrors } from '../program-sessions.errors.ts'

const call = programSessionsContract.bulkDeleteProgramSessions

/** Small enough that heartbeats run between two transactions. */
const rowsPerTransaction = 500

export const bulkDeleteProgramSessions = endpoint(call, {
  writeInBatches: async (context) => {
    const { services, body } = context
    let deleted = 0
    for await (const sessionIds of batches(context)) {
      throwIfAborted()
      deleted += await services.db.write((tx) => deleteProgramSessions(tx, context, sessionIds))
    }
    const isAll = body.filter !== undefined && (body.filter.search ?? '').trim() === ''
    if (isAll) return { ...done(call, 'SESSIONS_DELETE_ALL_OK'), deleted }
    return { ...done(call, 'SESSIONS_DELETE_OK', { deleted }), deleted }
  },
})

/** The given sessions, or all that match the filter. */
async function* batches({ services: { db }, app, body }: CallContext<typeof call>): AsyncGenerator<string[]> {
  const { sessionIds, filter } = body
  if (sessionIds ? sessionIds.length === 0 || filter : !filter) reject(programSessionsErrors, 'NO_SESSIONS_SELECTED')
  if (sessionIds) {
    for (let from = 0; from < sessionIds.length; from += rowsPerTransaction) {
      yield sessionIds.slice(from, from + rowsPerTransaction)
    }
    return
  }
  for (let after = ''; ;) {
    const ids = await listSessionIdsAfter(db.reports, {
      appId: app.id,
      search: filter?.search,
      after,
      limit: rowsPerTransaction,
    })
    if (ids.length === 0) return
    after = ids.at(-1) as string
    yield ids
  }
}
