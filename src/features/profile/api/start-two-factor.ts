import { refuse } from '#contract/refusals.ts'
import { beginTwoFactor } from '#features/accounts/two-factor.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract, profileRefusals } from '../profile.contract.ts'

export const startTwoFactor = endpoint(profileContract.startTwoFactor, {
  write: async (tx, context) => {
    const { services, actor } = context
    const { security, platform } = await services.settings.current()
    if (!security.enable2FA) refuse(profileRefusals, 'TWO_FACTOR_UNAVAILABLE')
    const started = await beginTwoFactor(tx, services.masterKey, {
      accountId: actor.id,
      username: actor.username,
      issuer: platform.platformName,
    })
    await recordAudit(tx, context, { act: 'account.two-factor-start', target: actor.username })
    return started
  },
})
