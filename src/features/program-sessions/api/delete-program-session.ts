import { endpoint } from '#server/http/endpoint.ts'
import { deleteProgramSession as deleteProgramSessionAction } from '../program-sessions.actions.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'

export const deleteProgramSession = endpoint(programSessionsContract.deleteProgramSession, {
  write: async (tx, context) => {
    await deleteProgramSessionAction(tx, context, context.body.sessionId)
    return { code: 'SESSION_DELETE_OK' }
  },
})
