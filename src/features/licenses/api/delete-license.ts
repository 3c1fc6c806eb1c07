import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { deleteLicenses, lockLicense } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { keyOf, shouldDeleteUsers } from '../licenses.reply.ts'

export const deleteLicense = endpoint(licensesContract.deleteLicense, {
  write: async (tx, context) => {
    const { app, body } = context
    const license = await lockLicense(tx, app.id, keyOf(body))
    const { deletedUsers } = await deleteLicenses(tx, app.id, [license], shouldDeleteUsers(body))
    await recordAudit(tx, context, { act: 'license.delete', target: license.license, details: { deletedUsers } })
    return { message: 'License deleted successfully' }
  },
})
