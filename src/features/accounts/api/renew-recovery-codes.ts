import { accountSecurityContract } from '../account-security.contract.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { finishSecondFactorProof, proveSecondFactor } from '../second-factor-proof.ts'
import { renewRecoveryCodes as renew } from '../two-factor.actions.ts'

export const renewRecoveryCodes = endpoint(accountSecurityContract.renewRecoveryCodes, {
  prepare: proveSecondFactor,
  write: async (tx, context, proved) => {
    const account = await finishSecondFactorProof(tx, context, proved)
    const recoveryCodes = await renew(tx, account.id)
    await recordAudit(tx, context, { act: 'account.recovery-codes', target: account.username })
    return { message: 'New recovery codes', recoveryCodes }
  },
})
