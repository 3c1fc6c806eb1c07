import { refuse } from '#contract/refusals.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { signInAgain } from '../accounts.actions.ts'
import { findAccount } from '../accounts.reads.ts'
import { beginCodeAttempt, confirmTwoFactor as confirm } from '../two-factor.actions.ts'

export const confirmTwoFactor = endpoint(accountSecurityContract.confirmTwoFactor, {
  prepare: async ({ services, actor, now }) => {
    const { security } = await services.settings.current()
    if (!security.enable2FA) refuse(accountsRefusals, 'TWO_FACTOR_UNAVAILABLE')
    await beginCodeAttempt(services, actor.id, now)
  },
  write: async (tx, context) => {
    const { services, actor, body, now } = context
    const account = (await findAccount(tx.db, actor.id)) ?? signInAgain()
    const recoveryCodes = await confirm(tx, services.masterKey, { account, code: body.code, now })
    await recordAudit(tx, context, { act: 'account.two-factor-on', target: account.username })
    return { message: 'Two-factor authentication is on', recoveryCodes }
  },
})
