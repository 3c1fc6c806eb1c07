import { deleteLicenses, lockLicense } from '#features/licenses/licenses.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerLicensesContract } from '../seller-licenses.contract.ts'

export const deleteLicense = endpoint(sellerLicensesContract.deleteLicense, {
  write: async (tx, context) => {
    const { app, params, query } = context
    const license = await lockLicense(tx, app.id, params.license)
    const { deletedUsers } = await deleteLicenses(tx, app.id, [license], query.deleteUser === true)
    await recordAudit(tx, context, { act: 'license.delete', target: license.license, details: { deletedUsers } })
    return { message: 'License deleted successfully', deletedUsers }
  },
})
