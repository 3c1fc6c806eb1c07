import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { licensesContract } from '../licenses.contract.ts'
import { addTimeToLicensesUndoably } from '../licenses-undo.actions.ts'

const call = licensesContract.addTimeLicenses

export const addTimeLicenses = endpoint(call, {
  write: async (tx, context) => {
    const { licenses, duration, expiryUnit } = context.body
    const added = await addTimeToLicensesUndoably(tx, context, { licenses, duration, expiryUnit })
    return { ...done(call, 'LICENSES_ADD_TIME_OK', { count: added.updated }), ...added }
  },
})
