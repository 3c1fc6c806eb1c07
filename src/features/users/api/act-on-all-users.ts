import type { Static } from 'typebox'
import type { AppContext } from '#server/audit/audit.ts'
import { runBulk } from '#server/bulk/bulk.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import type { Services } from '#server/services.ts'
import { flagAction, type UserAction, userRows, withoutUndo } from '../bulk-users.actions.ts'
import { usersBulkContract as contract } from '../users-bulk.contract.ts'
import type { UserFilter } from '../users.reads.ts'

export const allUserCalls: readonly Endpoint[] = [
  endpoint(contract.deleteExpiredUsers, {
    writeInBatches: async (context) => {
      const action = { ...flagAction(context, 'delete'), name: 'user.delete-expired' as const }
      const { count, ...rest } = await actOnAll(context, { status: 'expired' }, action)
      return { code: 'USERS_DELETE_OK', values: { count }, deleted: count, ...rest }
    },
  }),
  endpoint(contract.deleteAllUsers, {
    writeInBatches: async (context) => {
      const action = { ...flagAction(context, 'delete'), name: 'user.delete-all' as const }
      const { count, ...rest } = await actOnAll(context, {}, action)
      return { code: 'USERS_DELETE_OK', values: { count }, deleted: count, ...rest }
    },
  }),
  endpoint(contract.resetAllHwid, {
    writeInBatches: async (context) => {
      const action = { ...flagAction(context, 'reset-hwid'), name: 'user.reset-all-hwid' as const }
      const { count, ...rest } = await actOnAll(context, { bound: true }, action)
      return { code: 'USERS_HWID_RESET_OK', values: { count }, reset: count, ...rest }
    },
  }),
  endpoint(contract.unbanAllUsers, {
    writeInBatches: async (context) => {
      const action = { ...flagAction(context, 'unban'), name: 'user.unban-all' as const }
      const { count, ...rest } = await actOnAll(context, { status: 'banned' }, action)
      return { code: 'USERS_UNBAN_OK', values: { count }, unbanned: count, ...rest }
    },
  }),
]

interface Context extends AppContext {
  services: Services
  body: Static<typeof contract.deleteAllUsers.body>
}

/**
 * Acts on all users that match a filter, in batches, so that programs' calls run in between. After a crash, the batches
 * already processed keep their result; calling again processes the rest.
 */
async function actOnAll(context: Context, filter: UserFilter, action: UserAction) {
  const { services, body } = context
  const { db } = services
  const rows = userRows(db, context)
  const { expectedCount, newestId, dryRun = false, maxRows } = body
  // Without an expected count, there is nothing to compare, so it starts with the first row.
  const after = body.after ?? (expectedCount === undefined ? 0 : undefined)
  if (dryRun) {
    const last = newestId ?? (await rows.newestId())
    return { count: await rows.count(filter, last), dryRun, next: null, newestId: last }
  }
  const target = { filter, expectedCount, newestId, after, maxRows }
  const report = await runBulk({ db, context, rows, action: withoutUndo(action), target })
  return { count: report.done, dryRun, next: report.next, newestId: report.newestId }
}
