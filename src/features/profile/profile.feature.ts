import type { Feature } from '#server/endpoint.ts'
import { changePassword } from './api/change-password.ts'
import { confirmTwoFactor } from './api/confirm-two-factor.ts'
import { deleteAccount } from './api/delete-account.ts'
import { deleteProfileSession } from './api/delete-profile-session.ts'
import { disableTwoFactor } from './api/disable-two-factor.ts'
import { listProfileSessions } from './api/list-profile-sessions.ts'
import { logoutAll } from './api/logout-all.ts'
import { planUsage } from './api/plan-usage.ts'
import { profileStats } from './api/profile-stats.ts'
import { reauthenticate } from './api/reauthenticate.ts'
import { renewRecoveryCodes } from './api/renew-recovery-codes.ts'
import { startTwoFactor } from './api/start-two-factor.ts'
import { twoFactorState } from './api/two-factor-state.ts'
import { updateProfile } from './api/update-profile.ts'
import { removeErasedAccounts } from './erased-accounts.ts'
import { profileContract } from './profile.contract.ts'

const sweepMs = 600_000

/** What somebody signed in does with the own account; the account itself is the accounts feature's. */
export const profile: Feature = {
  name: 'profile',
  contract: profileContract,
  endpoints: [
    profileStats,
    updateProfile,
    changePassword,
    deleteAccount,
    listProfileSessions,
    deleteProfileSession,
    logoutAll,
    reauthenticate,
    planUsage,
    twoFactorState,
    startTwoFactor,
    confirmTwoFactor,
    renewRecoveryCodes,
    disableTwoFactor,
  ],
  // What a restart left of deleted accounts goes with the next sweep.
  start: async (services) => {
    const sweep = setInterval(() => void removeErasedAccounts(services), sweepMs).unref()
    return async () => clearInterval(sweep)
  },
}
