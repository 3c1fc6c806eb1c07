import { endpoint } from '#server/http/endpoint.ts'
import { licensesContract } from '../licenses.contract.ts'
import { addTimeToLicensesUndoably } from '../licenses-undo.actions.ts'

export const addTimeLicenses = endpoint(licensesContract.addTimeLicenses, {
  write: async (tx, context) => {
    const { licenses, duration, expiryUnit } = context.body
    const added = await addTimeToLicensesUndoably(tx, context, { licenses, duration, expiryUnit })
    return { code: 'LICENSES_ADD_TIME_OK', values: { count: added.updated }, ...added }
  },
})
