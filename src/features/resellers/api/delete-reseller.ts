import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteReseller as deleteAction } from '../reseller-removal.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

const call = resellersContract.deleteReseller

/** One choice under two names: either of them counts, in the body or the query. */
export const deleteReseller = endpoint(call, {
  writeInBatches: async (context) => {
    const flags = [context.query, context.body ?? {}]
    const withData = flags.some(({ deleteLicenses, deleteUsers }) => deleteLicenses === true || deleteUsers === true)
    const deleted = await deleteAction(context.services.db, context, { id: context.params.id, withData })
    return { ...done(call, 'RESELLER_DELETE_OK'), ...deleted }
  },
})
