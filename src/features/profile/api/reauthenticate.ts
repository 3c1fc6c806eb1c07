import { finishProof, noteProof, proveIdentity } from '#features/accounts/identity-proof.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const reauthenticate = endpoint(profileContract.reauthenticate, {
  prepare: ({ services, actor, body, caller, now }) =>
    proveIdentity(services, { accountId: actor.id, ...body, ip: caller.ip, now }),
  unit: async (unit, context, proved) => {
    const { services, actor, body, now } = context
    const account = await finishProof(unit, services, proved, { code: body.code, now })
    await noteProof(unit, actor.sessionHash, now)
    await recordAudit(unit, context, { act: 'account.reauthenticate', target: account.username })
    return { message: 'Thank you. Please go on.' }
  },
})
