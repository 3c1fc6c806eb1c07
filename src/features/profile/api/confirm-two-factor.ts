import { refuse } from '#contract/refusals.ts'
import { accountById, signInAgain } from '#features/accounts/accounts.actions.ts'
import { beginCodeAttempt, confirmTwoFactor as confirm } from '#features/accounts/two-factor.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract, profileRefusals } from '../profile.contract.ts'

export const confirmTwoFactor = endpoint(profileContract.confirmTwoFactor, {
  prepare: async ({ services, actor, now }) => {
    const { security } = await services.settings.current()
    if (!security.enable2FA) refuse(profileRefusals, 'TWO_FACTOR_UNAVAILABLE')
    await beginCodeAttempt(services, actor.id, now)
  },
  write: async (tx, context) => {
    const { services, actor, body, now } = context
    const account = (await accountById(tx.db, actor.id)) ?? signInAgain()
    const recoveryCodes = await confirm(tx, services.masterKey, { account, code: body.code, now })
    await recordAudit(tx, context, { act: 'account.two-factor-on', target: account.username })
    return { message: 'Two-factor authentication is on', recoveryCodes }
  },
})
