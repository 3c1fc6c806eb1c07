import { endpoint } from '#server/http/endpoint.ts'
import { setLicenseBanned } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

export const toggleBanLicense = endpoint(licensesContract.toggleBanLicense, {
  write: async (tx, context) => {
    const { body } = context
    const banned = await setLicenseBanned(tx, context, { license: body.licenseKey, banned: body.banned })
    return { code: banned ? 'LICENSE_BAN_OK' : 'LICENSE_UNBAN_OK', banned }
  },
})
