import { finishProof, recordProof, proveIdentity } from '#features/accounts/identity-proof.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const reauthenticate = endpoint(profileContract.reauthenticate, {
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
