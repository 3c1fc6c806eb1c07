import type { Feature } from '#server/http/endpoint.ts'
import { ownAccountCalls } from './api/reseller-account.ts'
import { ownLicenseCalls } from './api/reseller-licenses.ts'
import { ownOverviewCalls } from './api/reseller-overview.ts'
import { ownSessionCalls } from './api/reseller-session.ts'
import { listResellerUsers, resetResellerUserHwid } from './api/reseller-users.ts'
import { resellerApiContract, resellerPreferencesContract, resellerSecurityContract } from './reseller-api.contract.ts'

/** Calls for resellers, built on the actions of other features. */
export const resellerApi: Feature = {
  name: 'reseller-api',
  contract: { ...resellerApiContract, ...resellerSecurityContract, ...resellerPreferencesContract },
  endpoints: [
    ...ownSessionCalls,
    ...ownOverviewCalls,
    ...ownLicenseCalls,
    listResellerUsers,
    resetResellerUserHwid,
    ...ownAccountCalls,
  ],
}
