import { disableTwoFactor as disable } from '#features/accounts/two-factor.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'
import { finishSecondFactorProof, proveSecondFactor } from '../second-factor-proof.ts'

export const disableTwoFactor = endpoint(profileContract.disableTwoFactor, {
  prepare: proveSecondFactor,
  write: async (tx, context, proved) => {
    const account = await finishSecondFactorProof(tx, context, proved)
    await disable(tx, account.id)
    await recordAudit(tx, context, { act: 'account.two-factor-off', target: account.username })
    return { message: 'Two-factor authentication is off' }
  },
})
