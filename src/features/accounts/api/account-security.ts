import { accountKind } from '../account-kind.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { securityEndpoints } from '../account-security.endpoints.ts'

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
} = securityEndpoints(accountSecurityContract, accountKind)
