import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { getAccount } from '../accounts.actions.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { beginCodeAttempt, confirmTwoFactor as confirmTwoFactorAction } from '../two-factor.actions.ts'

const call = accountSecurityContract.confirmTwoFactor

export const confirmTwoFactor = endpoint(call, {
  prepare: async (context) => {
    const { services, actor, body } = context
    const { security } = await services.settings.current()
    if (!security.enable2FA) refuse(accountsRefusals, 'TWO_FACTOR_UNAVAILABLE')
    await beginCodeAttempt(context, await getAccount(services.db.read, actor.id), body.code)
  },
  write: async (tx, context) => {
    const recoveryCodes = await confirmTwoFactorAction(tx, context, context.body.code)
    return { ...done(call, 'TWO_FACTOR_ON_OK'), recoveryCodes }
  },
})
