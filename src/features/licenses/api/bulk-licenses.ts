import { reject } from '#contract/errors.ts'
import { type BulkReport, findBulkRows, type FoundRows, runBulk, runBulkOnce } from '#server/bulk/bulk.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { addTimeAction, banAction, deleteAction, licenseRows } from '../bulk-licenses.actions.ts'
import { undoLicenseActions } from '../licenses-undo.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { licensesErrors } from '../licenses.errors.ts'

const call = licensesContract.bulkLicenses

function bulkOf(context: CallContext<typeof call>) {
  const { services, body } = context
  const { licenses: names, filter, action } = body
  if (names?.length === 0 || (!names && !filter)) reject(licensesErrors, 'NO_LICENSES_SELECTED')
  const bulkAction =
    action === 'delete'
      ? deleteAction(context, { withUsers: body.deleteUsers === true, refund: body.refundCredits !== false })
      : action === 'add-time'
        ? addTimeAction(context, { duration: body.duration, expiryUnit: body.expiryUnit })
        : banAction(context, action === 'ban')
  return {
    db: services.db,
    context,
    rows: licenseRows(services.db, context),
    action: bulkAction,
    target: { ...body, names },
  }
}

const replyOf = (report: BulkReport) =>
  ({ code: 'LICENSES_BULK_OK', values: { done: report.done, failed: report.failed }, ...report }) as const

export const bulkLicenses = endpoint(call, {
  writeInBatches: async (context) => replyOf(await runBulk(bulkOf(context))),
  prepareOnce: (context): Promise<FoundRows> =>
    findBulkRows(licenseRows(context.services.db, context), { ...context.body, names: context.body.licenses }),
  writeOnce: async (tx, context, found) => replyOf(await runBulkOnce(tx, bulkOf(context), found)),
})

export const undoLicenses = endpoint(licensesContract.undoLicenses, undoHandler(undoLicenseActions, 'LICENSES_UNDO_OK'))
