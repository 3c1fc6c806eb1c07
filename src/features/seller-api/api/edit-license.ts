import { describeLicense, licenseChangeOf } from '#features/licenses/licenses.reply.ts'
import { lockLicense, updateLicense } from '#features/licenses/licenses.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

export const editLicense = endpoint(sellerLicensesContract.editLicense, {
  write: async (tx, context) => {
    const { app, params, body } = context
    const license = await lockLicense(tx, app.id, params.license)
    const change = licenseChangeOf(body)
    const updated = await updateLicense(tx, license, change)
    await recordAudit(tx, context, { act: 'license.update', target: license.license, details: change })
    return { message: 'License updated successfully', license: await describeLicense(tx.db, updated) }
  },
})
