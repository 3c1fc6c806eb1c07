import { endpoint } from '#server/http/endpoint.ts'
import { auditContract } from '../audit.contract.ts'
import { undoEntry as undo } from '../undo.actions.ts'

export const undoEntry = endpoint(auditContract.undoEntry, {
  write: async (tx, context) => {
    // A text that is not a number matches no row.
    await undo(tx, context, /^\d{1,15}$/.test(context.params.id) ? Number(context.params.id) : 0)
    return { code: 'AUDIT_UNDO_OK' }
  },
})
