import { done } from '#contract/define-call.ts'
import { setLicenseBanned } from '#features/licenses/licenses.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

const { banLicense: banCall, unbanLicense: unbanCall } = sellerLicensesContract

export const banLicense = endpoint(banCall, {
  write: async (tx, context) => {
    const banned = await setLicenseBanned(tx, context, { license: context.params.license, banned: true })
    return { ...done(banCall, 'LICENSE_BAN_OK'), banned }
  },
})

export const unbanLicense = endpoint(unbanCall, {
  write: async (tx, context) => {
    const banned = await setLicenseBanned(tx, context, { license: context.params.license, banned: false })
    return { ...done(unbanCall, 'LICENSE_UNBAN_OK'), banned }
  },
})
