import { accountById, signInAgain } from '#features/accounts/accounts.actions.ts'
import { hasSecondFactor, recoveryCodesLeft } from '#features/accounts/two-factor.actions.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const twoFactorState = endpoint(profileContract.twoFactorState, {
  read: async ({ services: { db, settings }, actor }) => {
    const account = (await accountById(db.read, actor.id)) ?? signInAgain()
    const { security } = await settings.current()
    return {
      available: security.enable2FA,
      enabled: hasSecondFactor(account),
      recoveryCodesLeft: await recoveryCodesLeft(db.read, account.id),
    }
  },
})
