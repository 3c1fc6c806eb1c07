import { done } from '#contract/define-call.ts'
import { updateLicense } from '#features/licenses/licenses.actions.ts'
import { describeLicense, licenseChangeOf } from '#features/licenses/licenses.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

const call = sellerLicensesContract.editLicense

export const editLicense = endpoint(call, {
  write: async (tx, context) => {
    const { params, body } = context
    const updated = await updateLicense(tx, context, { license: params.license, change: licenseChangeOf(body) })
    return { ...done(call, 'LICENSE_UPDATE_OK'), license: await describeLicense(tx.db, updated) }
  },
})
