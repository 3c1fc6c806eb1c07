import type { Static } from 'typebox'
import type { AppContext } from '#server/audit/audit.ts'
import { runBulk } from '#server/bulk/bulk.ts'
import { endpoint } from '#server/http/endpoint.ts'
import type { Services } from '#server/services.ts'
import { flagAction, type UserAction, userRows, withoutUndo } from '../bulk-users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import type { UserFilter } from '../users.reads.ts'

const { deleteExpiredUsers: deleteExpired, deleteAllUsers: deleteAll } = usersBulkContract
const { resetAllHwid: resetAll, unbanAllUsers: unbanAll } = usersBulkContract

interface Context extends AppContext {
  services: Services
  body: Static<typeof deleteAll.body>
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

export const deleteExpiredUsers = endpoint(deleteExpired, {
  writeInBatches: async (context) => {
    const action = { ...flagAction(context, 'delete'), name: 'user.delete-expired' as const }
    const { count, ...rest } = await actOnAll(context, { status: 'expired' }, action)
    return { code: 'USERS_DELETE_OK', values: { count }, deleted: count, ...rest }
  },
})

export const deleteAllUsers = endpoint(deleteAll, {
  writeInBatches: async (context) => {
    const action = { ...flagAction(context, 'delete'), name: 'user.delete-all' as const }
    const { count, ...rest } = await actOnAll(context, {}, action)
    return { code: 'USERS_DELETE_OK', values: { count }, deleted: count, ...rest }
  },
})

export const resetAllHwid = endpoint(resetAll, {
  writeInBatches: async (context) => {
    const action = { ...flagAction(context, 'reset-hwid'), name: 'user.reset-all-hwid' as const }
    const { count, ...rest } = await actOnAll(context, { bound: true }, action)
    return { code: 'USERS_HWID_RESET_OK', values: { count }, reset: count, ...rest }
  },
})

export const unbanAllUsers = endpoint(unbanAll, {
  writeInBatches: async (context) => {
    const action = { ...flagAction(context, 'unban'), name: 'user.unban-all' as const }
    const { count, ...rest } = await actOnAll(context, { status: 'banned' }, action)
    return { code: 'USERS_UNBAN_OK', values: { count }, unbanned: count, ...rest }
  },
})
