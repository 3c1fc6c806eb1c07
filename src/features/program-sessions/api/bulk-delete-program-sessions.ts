import { reject } from '#contract/errors.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { deleteMatchingSessions, deleteProgramSessions, sessionsPerTransaction } from '../program-sessions.actions.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'
import { programSessionsErrors } from '../program-sessions.errors.ts'

const call = programSessionsContract.bulkDeleteProgramSessions

export const bulkDeleteProgramSessions = endpoint(call, {
  writeInBatches: async (context) => {
    const { sessionIds, filter, expectedCount } = context.body
    if (sessionIds ? sessionIds.length === 0 || filter : !filter) reject(programSessionsErrors, 'NO_SESSIONS_SELECTED')
    // A status is that of now; and what was counted in a list doesn't include what the list no longer has.
    const isAsListed = filter?.status || expectedCount !== undefined
    const matching = { ...filter, ...(isAsListed && { listedAt: context.now }) }
    const deleted = sessionIds
      ? await deleteNamed(context, sessionIds)
      : await deleteMatchingSessions(context, matching, expectedCount)
    const isAll = filter !== undefined && Object.values(filter).every((value) => String(value).trim() === '')
    if (isAll) return { code: 'SESSIONS_DELETE_ALL_OK', deleted }
    return { code: 'SESSIONS_DELETE_OK', values: { deleted }, deleted }
  },
})

async function deleteNamed(context: CallContext<typeof call>, sessionIds: readonly string[]): Promise<number> {
  let deleted = 0
  for (let from = 0; from < sessionIds.length; from += sessionsPerTransaction) {
    throwIfAborted()
    const some = sessionIds.slice(from, from + sessionsPerTransaction)
    deleted += await context.services.db.write((tx) => deleteProgramSessions(tx, context, some))
  }
  return deleted
}
