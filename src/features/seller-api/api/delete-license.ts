import { deleteLicenses, existingLicense } from '#features/licenses/licenses.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

export const deleteLicense = endpoint(sellerLicensesContract.deleteLicense, {
  unit: async (unit, context) => {
    const { app, params, query } = context
    const license = await existingLicense(unit, app.id, params.license)
    const { deletedUsers } = await deleteLicenses(unit, app.id, [license], query.deleteUser === true)
    await recordAudit(unit, context, { act: 'license.delete', target: license.license, details: { deletedUsers } })
    return { message: 'License deleted successfully', deletedUsers }
  },
})
