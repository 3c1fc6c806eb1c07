import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { lockLicense, setLicensesBanned } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { keyOf } from '../licenses.reply.ts'

export const toggleBanLicense = endpoint(licensesContract.toggleBanLicense, {
  write: async (tx, context) => {
    const { app, body } = context
    const license = await lockLicense(tx, app.id, keyOf(body))
    const banned = body.banned ?? license.banned === 0
    await setLicensesBanned(tx, app.id, [license.id], banned)
    await recordAudit(tx, context, { act: banned ? 'license.ban' : 'license.unban', target: license.license })
    return { message: banned ? 'License banned successfully' : 'License unbanned successfully', banned }
  },
})
