import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { addTimeToLicenses } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'

const call = licensesContract.addTimeLicenses

export const addTimeLicenses = endpoint(call, {
  write: async (tx, context) => {
    const { licenses, duration, expiryUnit } = context.body
    const { updated, skipped } = await addTimeToLicenses(tx, context, { licenses, duration, expiryUnit })
    return { ...done(call, 'LICENSES_ADD_TIME_OK', { count: updated }), updated, skipped }
  },
})
