import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/endpoint.ts'
import { deleteLicense as deleteLicenseAction } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

const call = licensesContract.deleteLicense

export const deleteLicense = endpoint(call, {
  write: async (tx, context) => {
    const { body } = context
    await deleteLicenseAction(tx, context, { license: body.licenseKey, withUsers: body.deleteUsers === true })
    return done(call, 'LICENSE_DELETE_OK')
  },
})
