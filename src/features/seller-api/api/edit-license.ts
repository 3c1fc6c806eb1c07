import { describeLicense, licenseChangeOf } from '#features/licenses/license-descriptions.actions.ts'
import { existingLicense, updateLicense } from '#features/licenses/licenses.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

export const editLicense = endpoint(sellerLicensesContract.editLicense, {
  unit: async (unit, context) => {
    const { app, params, body } = context
    const license = await existingLicense(unit, app.id, params.license)
    const change = licenseChangeOf(body)
    const updated = await updateLicense(unit, license, change)
    await recordAudit(unit, context, { act: 'license.update', target: license.license, details: change })
    return { message: 'License updated successfully', license: await describeLicense(unit.trx, updated) }
  },
})
