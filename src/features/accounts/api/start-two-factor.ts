import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { startTwoFactor as startTwoFactorAction } from '../two-factor.actions.ts'

export const startTwoFactor = endpoint(accountSecurityContract.startTwoFactor, {
  write: (tx, context) => startTwoFactorAction(tx, context),
})
