import type { Tx } from '#database/database.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { deleteUsers, lockUsersById, resetHwids, setUsersBanned, stillMatches } from '../users.actions.ts'
import { checkExpectedCount, scanUsers } from '../users.bulk.ts'
import { countFiltered, type User, type UserFilter } from '../users.reads.ts'

type Call = typeof usersBulkContract.deleteAllUsers

interface Act {
  filter: UserFilter
  act: string
  work: (tx: Tx, appId: string, users: readonly User[]) => Promise<unknown>
}

/**
 * Acts piece by piece, so that programs' calls pass in between, and tells on how many. What was done
 * before a crash stays done; calling again does the rest (R-LIC-07).
 */
async function actOnAll(
  context: CallContext<Call>,
  { filter, act, work }: Act,
): Promise<{ count: number; dryRun: boolean; next: number | null }> {
  const { services, app, body, now } = context
  const choice = { appId: app.id, filter, now }
  if (body.expectedCount !== undefined && body.after === undefined) {
    await checkExpectedCount(services.db, choice, body.expectedCount)
  }
  if (body.dryRun) return { count: await countFiltered(services.db, choice), dryRun: true, next: null }
  let count = 0
  const scan = scanUsers(services.db, choice, body)
  for await (const users of scan.batches()) {
    count += await services.db.write(async (tx) => {
      // Somebody may have changed since the list was read: paid in this moment, for one.
      const locked = await lockUsersById(tx, app.id, users)
      const matching = await stillMatches(tx, choice, locked, filter)
      await work(tx, app.id, matching)
      if (matching.length > 0) await recordAudit(tx, context, { act, target: `${matching.length} users` })
      return matching.length
    })
  }
  return { count, dryRun: false, next: scan.next }
}

const asCall = (context: unknown) => context as CallContext<Call>
const removal = (filter: UserFilter, act: string): Act => ({ filter, act, work: deleteUsers })

export const deleteExpiredUsers = endpoint(usersBulkContract.deleteExpiredUsers, {
  writeInBatches: async (context) => {
    const { count, ...rest } = await actOnAll(asCall(context), removal({ status: 'expired' }, 'user.delete-expired'))
    return { message: `Deleted ${count} users successfully`, deleted: count, ...rest }
  },
})

export const deleteAllUsers = endpoint(usersBulkContract.deleteAllUsers, {
  writeInBatches: async (context) => {
    const { count, ...rest } = await actOnAll(asCall(context), removal({}, 'user.delete-all'))
    return { message: `Deleted ${count} users successfully`, deleted: count, ...rest }
  },
})

export const resetAllHwid = endpoint(usersBulkContract.resetAllHwid, {
  writeInBatches: async (context) => {
    const act = { filter: { bound: true }, act: 'user.reset-all-hwid', work: resetHwids }
    const { count, ...rest } = await actOnAll(asCall(context), act)
    return { message: `HWID of ${count} users reset successfully`, reset: count, ...rest }
  },
})

export const unbanAllUsers = endpoint(usersBulkContract.unbanAllUsers, {
  writeInBatches: async (context) => {
    const work = (tx: Tx, appId: string, users: readonly User[]) => setUsersBanned(tx, appId, users, false)
    const act = { filter: { status: 'banned' } as const, act: 'user.unban-all', work }
    const { count, ...rest } = await actOnAll(asCall(context), act)
    return { message: `Unbanned ${count} users successfully`, unbanned: count, ...rest }
  },
})
