import { refuse } from '#contract/refusals.ts'
import { endAccountSession } from '#features/accounts/account-sessions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract, profileRefusals } from '../profile.contract.ts'

export const deleteProfileSession = endpoint(profileContract.deleteProfileSession, {
  write: async (tx, context) => {
    const { actor, params, cookies } = context
    const ended = await endAccountSession(tx, actor.id, params.id)
    if (ended === undefined) refuse(profileRefusals, 'SESSION_NOT_FOUND')
    await recordAudit(tx, context, { act: 'account.end-session', target: params.id })
    if (ended === actor.sessionHash) tx.afterCommit(() => cookies.end())
    return { message: 'Session deleted successfully' }
  },
})
