import { newDeletion } from '#server/bin/bin-items.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteLicense as deleteLicenseAction } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

export const deleteLicense = endpoint(licensesContract.deleteLicense, {
  write: async (tx, context) => {
    const { body } = context
    const undoId = newDeletion()
    const choice = { withUsers: body.deleteUsers === true, refund: body.refundCredits !== false }
    await deleteLicenseAction(tx, context, { license: body.licenseKey, ...choice, operation: undoId })
    return { code: 'LICENSE_DELETE_OK', undoId }
  },
})
