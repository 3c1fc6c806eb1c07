import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteProgramSession as deleteProgramSessionAction } from '../program-sessions.actions.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'

const call = programSessionsContract.deleteProgramSession

export const deleteProgramSession = endpoint(call, {
  write: async (tx, context) => {
    await deleteProgramSessionAction(tx, context, context.body.sessionId)
    return done(call, 'SESSION_DELETE_OK')
  },
})
