import { endAccountSessions } from '#features/accounts/account-sessions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const logoutAll = endpoint(profileContract.logoutAll, {
  write: async (tx, context) => {
    const { actor, cookies } = context
    const ended = await endAccountSessions(tx, actor.id)
    await recordAudit(tx, context, { act: 'account.logout-all', target: actor.username, details: { ended } })
    tx.afterCommit(() => cookies.end())
    return { message: 'Logged out from all devices', ended }
  },
})
