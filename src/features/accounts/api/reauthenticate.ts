import { accountSecurityContract } from '../account-security.contract.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { finishProof, proveIdentity, recordProof } from '../identity-proof.actions.ts'

export const reauthenticate = endpoint(accountSecurityContract.reauthenticate, {
  prepare: ({ services, actor, body, caller, now }) =>
    proveIdentity(services, { accountId: actor.id, ...body, ip: caller.ip, now }),
  write: async (tx, context, proved) => {
    const { services, actor, body, now } = context
    const account = await finishProof(tx, services, proved, { code: body.code, now })
    await recordProof(tx, actor.sessionHash, now)
    await recordAudit(tx, context, { act: 'account.reauthenticate', target: account.username })
    return { message: 'Thank you. Please go on.' }
  },
})
