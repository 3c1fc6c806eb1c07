import { endpoint } from '#server/http/endpoint.ts'
import { deleteReseller as deleteAction } from '../reseller-removal.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

/** One choice under two names: either of them counts, in the body or the query. */
export const deleteReseller = endpoint(resellersContract.deleteReseller, {
  writeInBatches: async (context) => {
    const flags = [context.query, context.body ?? {}]
    const withData = flags.some(({ deleteLicenses, deleteUsers }) => deleteLicenses === true || deleteUsers === true)
    const deleted = await deleteAction(context.services.db, context, { id: context.params.id, withData })
    return { code: 'RESELLER_DELETE_OK', ...deleted }
  },
})
