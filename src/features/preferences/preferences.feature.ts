import type { Feature } from '#server/http/endpoint.ts'
import { preferenceCalls } from './api/preferences.ts'
import { preferencesContract } from './preferences.contract.ts'

/** How people arrange the tables of the dashboard. Those of resellers have their calls in `reseller-api`. */
export const preferences: Feature = {
  name: 'preferences',
  contract: preferencesContract,
  endpoints: preferenceCalls,
}
