import { endpoint } from '#server/http/endpoint.ts'
import { updateLicenseUndoably } from '../licenses-undo.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { describeLicense, licenseChangeOf } from '../licenses.reply.ts'

export const updateLicense = endpoint(licensesContract.updateLicense, {
  write: async (tx, context) => {
    const { body } = context
    const edit = { license: body.licenseKey, before: body.before, change: licenseChangeOf(body) }
    const { license, undoId } = await updateLicenseUndoably(tx, context, edit)
    return { code: 'LICENSE_UPDATE_OK', license: await describeLicense(tx.db, license), undoId }
  },
})
