import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { deleteLicensesByUse } from '../bulk-licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

type DeleteCall = typeof licensesContract.deleteAllLicenses

async function deleteByUse(context: CallContext<DeleteCall>, used: 0 | 1 | undefined) {
  const { services, body } = context
  const { after, maxRows, newestId } = body
  const flags = { withUsers: body.deleteUsers === true, refund: body.refundCredits !== false }
  const choice = { used, ...flags, after, maxRows, newestId }
  const total = await deleteLicensesByUse(services.db, context, choice)
  return { code: 'LICENSES_DELETE_OK', values: { count: total.deleted }, ...total } as const
}

export const deleteUnusedLicenses = endpoint(licensesContract.deleteUnusedLicenses, {
  writeInBatches: (context) => deleteByUse(context as unknown as CallContext<DeleteCall>, 0),
})

export const deleteUsedLicenses = endpoint(licensesContract.deleteUsedLicenses, {
  writeInBatches: (context) => deleteByUse(context as unknown as CallContext<DeleteCall>, 1),
})

export const deleteAllLicenses = endpoint(licensesContract.deleteAllLicenses, {
  writeInBatches: (context) => deleteByUse(context, undefined),
})
