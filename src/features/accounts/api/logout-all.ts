import { accountSecurityContract } from '../account-security.contract.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { endAccountSessions } from '../accounts.actions.ts'

export const logoutAll = endpoint(accountSecurityContract.logoutAll, {
  write: async (tx, context) => {
    const { actor, cookies } = context
    const ended = await endAccountSessions(tx, actor.id)
    await recordAudit(tx, context, { act: 'account.logout-all', target: actor.username, details: { ended } })
    tx.afterCommit(() => cookies.end())
    return { message: 'Logged out from all devices', ended }
  },
})
