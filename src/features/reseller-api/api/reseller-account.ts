import { securityEndpoints } from '#features/accounts/account-security.endpoints.ts'
import { preferenceEndpoints } from '#features/preferences/preferences.endpoints.ts'
import { resellerKind } from '#features/resellers/reseller-kind.ts'
import type { Endpoint } from '#server/http/endpoint.ts'
import { resellerPreferencesContract, resellerSecurityContract } from '../reseller-api.contract.ts'

/** The same as the calls of owners on their own account. */
export const ownAccountCalls: readonly Endpoint[] = [
  ...Object.values(securityEndpoints(resellerSecurityContract, resellerKind)),
  ...Object.values(preferenceEndpoints(resellerPreferencesContract, resellerKind)),
]
