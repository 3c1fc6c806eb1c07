import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { getAccount } from '../accounts.actions.ts'
import { countRecoveryCodes } from '../accounts.reads.ts'
import { hasSecondFactor } from '../two-factor.actions.ts'

export const twoFactorState = endpoint(accountSecurityContract.twoFactorState, {
  read: async ({ services: { db, settings }, actor }) => {
    const account = await getAccount(db.read, actor.id)
    const { security } = await settings.current()
    return {
      available: security.enable2FA,
      enabled: hasSecondFactor(account),
      recoveryCodesLeft: await countRecoveryCodes(db.read, account.id),
    }
  },
})
