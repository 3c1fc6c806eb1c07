import { refuse } from '#contract/refusals.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { beginTwoFactor } from '../two-factor.actions.ts'

export const startTwoFactor = endpoint(accountSecurityContract.startTwoFactor, {
  write: async (tx, context) => {
    const { services, actor } = context
    const { security, platform } = await services.settings.current()
    if (!security.enable2FA) refuse(accountsRefusals, 'TWO_FACTOR_UNAVAILABLE')
    const started = await beginTwoFactor(tx, services.masterKey, {
      accountId: actor.id,
      username: actor.username,
      issuer: platform.platformName,
    })
    await recordAudit(tx, context, { act: 'account.two-factor-start', target: actor.username })
    return started
  },
})
