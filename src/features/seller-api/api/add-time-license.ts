import { done } from '#contract/define-call.ts'
import { addTimeToLicense } from '#features/licenses/licenses.actions.ts'
import { describeLicense } from '#features/licenses/licenses.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

const call = sellerLicensesContract.addTimeLicense

export const addTimeLicense = endpoint(call, {
  write: async (tx, context) => {
    const { params, body } = context
    const { duration, expiryUnit } = body
    const license = await addTimeToLicense(tx, context, { license: params.license, duration, expiryUnit })
    return { ...done(call, 'LICENSE_ADD_TIME_OK'), license: await describeLicense(tx.db, license) }
  },
})
