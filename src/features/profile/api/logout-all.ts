import { endAccountSessions } from '#features/accounts/account-sessions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const logoutAll = endpoint(profileContract.logoutAll, {
  unit: async (unit, context) => {
    const { actor, cookies } = context
    const ended = await endAccountSessions(unit, actor.id)
    await recordAudit(unit, context, { act: 'account.logout-all', target: actor.username, details: { ended } })
    unit.afterCommit(() => cookies.end())
    return { message: 'Logged out from all devices', ended }
  },
})
