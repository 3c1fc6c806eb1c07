import { securityEndpoints } from '#features/accounts/account-security.endpoints.ts'
import { resellerKind } from '#features/resellers/reseller-kind.ts'
import { resellerSecurityContract } from '../reseller-api.contract.ts'

export const {
  changePassword,
  listProfileSessions,
  deleteProfileSession,
  endOtherSessions,
  reauthenticate,
  twoFactorState,
  startTwoFactor,
  confirmTwoFactor,
  renewRecoveryCodes,
  disableTwoFactor,
} = securityEndpoints(resellerSecurityContract, resellerKind)
