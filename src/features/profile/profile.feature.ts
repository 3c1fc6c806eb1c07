import type { Feature } from '#server/http/endpoint.ts'
import { profileCalls } from './api/profile.ts'
import { planUsage } from './api/plan-usage.ts'
import { profileStats } from './api/profile-stats.ts'
import { removeErasedAccounts } from './profile.actions.ts'
import { profileContract } from './profile.contract.ts'

const cleanupMs = 600_000

/** Calls of signed-in users on their own account; accounts themselves are in the accounts feature. */
export const profile: Feature = {
  name: 'profile',
  contract: profileContract,
  endpoints: [profileStats, ...profileCalls, planUsage],
  // The next cleanup removes data of deleted accounts left over after a shutdown.
  start: async (services) => {
    const cleanup = setInterval(() => void removeErasedAccounts(services), cleanupMs).unref()
    return async () => clearInterval(cleanup)
  },
}
