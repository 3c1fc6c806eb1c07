import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { createLicenses as createLicensesAction } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { licenseSpecOf } from '../licenses.reply.ts'

const call = licensesContract.createLicenses

export const createLicenses = endpoint(call, {
  write: async (tx, context) => {
    const issuer = { name: null, resellerId: null }
    const keys = await createLicensesAction(tx, context, { spec: licenseSpecOf(context.body), issuer })
    return { ...done(call, 'LICENSES_CREATE_OK', { count: keys.length }), licenses: keys, keys }
  },
})
