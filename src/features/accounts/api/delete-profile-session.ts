import { refuse } from '#contract/refusals.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { endAccountSession } from '../accounts.actions.ts'

export const deleteProfileSession = endpoint(accountSecurityContract.deleteProfileSession, {
  write: async (tx, context) => {
    const { actor, params, cookies } = context
    const ended = await endAccountSession(tx, actor.id, params.id)
    if (ended === undefined) refuse(accountsRefusals, 'SESSION_NOT_FOUND')
    await recordAudit(tx, context, { act: 'account.end-session', target: params.id })
    if (ended === actor.sessionHash) tx.afterCommit(() => cookies.end())
    return { message: 'Session deleted successfully' }
  },
})
