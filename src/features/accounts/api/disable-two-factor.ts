import { accountSecurityContract } from '../account-security.contract.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { finishSecondFactorProof, proveSecondFactor } from '../second-factor-proof.ts'
import { disableTwoFactor as disable } from '../two-factor.actions.ts'

export const disableTwoFactor = endpoint(accountSecurityContract.disableTwoFactor, {
  prepare: proveSecondFactor,
  write: async (tx, context, proved) => {
    const account = await finishSecondFactorProof(tx, context, proved)
    await disable(tx, account.id)
    await recordAudit(tx, context, { act: 'account.two-factor-off', target: account.username })
    return { message: 'Two-factor authentication is off' }
  },
})
