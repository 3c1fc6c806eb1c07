import { endpoint } from '#server/http/endpoint.ts'
import { createLicenses as createLicensesAction } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { licenseSpecOf } from '../licenses.reply.ts'

export const createLicenses = endpoint(licensesContract.createLicenses, {
  write: async (tx, context) => {
    const issuer = { name: null, resellerId: null }
    const keys = await createLicensesAction(tx, context, { spec: licenseSpecOf(context.body), issuer })
    return { code: 'LICENSES_CREATE_OK', values: { count: keys.length }, licenses: keys, keys }
  },
})
