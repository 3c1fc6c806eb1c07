import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { asksForUsers, keyOf } from '../license-fields.ts'
import { deleteLicenses, existingLicense } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

export const deleteLicense = endpoint(licensesContract.deleteLicense, {
  unit: async (unit, context) => {
    const { app, body } = context
    const license = await existingLicense(unit, app.id, keyOf(body))
    const { deletedUsers } = await deleteLicenses(unit, app.id, [license], asksForUsers(body))
    await recordAudit(unit, context, { act: 'license.delete', target: license.license, details: { deletedUsers } })
    return { message: 'License deleted successfully' }
  },
})
