import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { setLicenseBanned } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

const call = licensesContract.toggleBanLicense

export const toggleBanLicense = endpoint(call, {
  write: async (tx, context) => {
    const { body } = context
    const banned = await setLicenseBanned(tx, context, { license: body.licenseKey, banned: body.banned })
    return { ...done(call, banned ? 'LICENSE_BAN_OK' : 'LICENSE_UNBAN_OK'), banned }
  },
})
