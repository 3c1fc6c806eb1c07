import { reject } from '#contract/errors.ts'
import type { Reader } from '#database/database.ts'
import { type BulkReport, findBulkRows, type FoundRows, runBulk, runBulkOnce } from '#server/bulk/bulk.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { flagAction, timeAction, userRows } from '../bulk-users.actions.ts'
import { withMachine } from '../machines.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

const call = usersBulkContract.bulkUsers

async function targetOf({ services, app, body }: CallContext<typeof call>) {
  const { usernames: names, filter } = body
  return { ...body, names, filter: filter && (await withMachine(services, app, filter)) }
}

async function bulkOf(context: CallContext<typeof call>, reader: Reader) {
  const { services, body } = context
  const { usernames: names, filter, action, duration, unit, extendExpired: withExpired } = body
  if (names?.length === 0 || (!names && !filter)) reject(call.errors, 'NO_USERS_SELECTED')
  const bulkAction =
    action === 'extend' || action === 'subtract'
      ? await timeAction(reader, context, { action, level: body.subscription, duration, unit, withExpired })
      : flagAction(context, action)
  return {
    db: services.db,
    context,
    rows: userRows(services.db, context),
    action: bulkAction,
    target: await targetOf(context),
  }
}

function replyOf(report: BulkReport) {
  const { done: succeeded, failed, dryRun } = report
  const code = dryRun ? 'USERS_BULK_PREVIEW_OK' : 'USERS_BULK_OK'
  return { code, values: { done: succeeded, failed }, ...report } as const
}

export const bulkUsers = endpoint(call, {
  writeInBatches: async (context) => replyOf(await runBulk(await bulkOf(context, context.services.db.read))),
  prepareOnce: async (context): Promise<FoundRows> =>
    findBulkRows(userRows(context.services.db, context), await targetOf(context)),
  writeOnce: async (tx, context, found) => replyOf(await runBulkOnce(tx, await bulkOf(context, tx.db), found)),
})
