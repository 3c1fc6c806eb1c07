import { done } from '#contract/define-call.ts'
import { deleteLicense as deleteLicenseAction } from '#features/licenses/licenses.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

const call = sellerLicensesContract.deleteLicense

export const deleteLicense = endpoint(call, {
  write: async (tx, context) => {
    const { params, query } = context
    const choice = { license: params.license, withUsers: query.deleteUsers === true, refund: true }
    const deletedUsers = await deleteLicenseAction(tx, context, choice)
    return { ...done(call, 'LICENSE_DELETE_OK'), deletedUsers }
  },
})
