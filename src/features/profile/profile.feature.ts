import type { Feature } from '#server/http/endpoint.ts'
import { deleteAccount } from './api/delete-account.ts'
import { planUsage } from './api/plan-usage.ts'
import { profileStats } from './api/profile-stats.ts'
import { updateProfile } from './api/update-profile.ts'
import { removeErasedAccounts } from './profile.actions.ts'
import { profileContract } from './profile.contract.ts'

const cleanupMs = 600_000

/** What somebody signed in does with the own account; the account itself is the accounts feature's. */
export const profile: Feature = {
  name: 'profile',
  contract: profileContract,
  endpoints: [profileStats, updateProfile, deleteAccount, planUsage],
  // What a stop left of deleted accounts is removed by the next sweep.
  start: async (services) => {
    const cleanup = setInterval(() => void removeErasedAccounts(services), cleanupMs).unref()
    return async () => clearInterval(cleanup)
  },
}
