import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Why programs are refused (docs/protocol.md), as an owner would name it. */
const reasons: Record<string, MessageDescriptor> = {
  MALFORMED_REQUEST: msg`Malformed request`,
  CLOCK_SKEW: msg`Clock of the machine is off`,
  CANNOT_OPEN_SEALED_BODY: msg`Request could not be opened`,
  OWNER_BANNED: msg`Account banned`,
  APP_DISABLED: msg`App disabled`,
  VERSION_OUTDATED: msg`Version out of date`,
  HASH_MISMATCH: msg`Program file changed`,
  SESSION_REQUIRED: msg`No session`,
  SESSION_EXPIRED: msg`Session expired`,
  SESSION_ENDED: msg`Session ended by you`,
  SESSION_REPLACED: msg`Signed in somewhere else`,
  NOT_SIGNED_IN: msg`Not signed in`,
  LICENSE_NOT_FOUND: msg`Unknown license`,
  LICENSE_BANNED: msg`License banned`,
  LICENSE_ALREADY_USED: msg`License already used`,
  SUBSCRIPTION_EXPIRED: msg`Subscription expired`,
  SUBSCRIPTION_PAUSED: msg`Subscription paused`,
  INVALID_CREDENTIALS: msg`Wrong username or password`,
  USERNAME_TAKEN: msg`Username taken`,
  USERNAME_INVALID: msg`Username not allowed`,
  PASSWORD_TOO_SHORT: msg`Password too short`,
  EMAIL_INVALID: msg`Email not valid`,
  USER_BANNED: msg`User banned`,
  USER_PAUSED: msg`User paused`,
  USER_LIMIT_REACHED: msg`Number of users reached`,
  VARIABLE_NOT_FOUND: msg`Unknown variable`,
  HWID_REQUIRED: msg`Hardware id missing`,
  HWID_TOO_SHORT: msg`Hardware id too short`,
  HWID_MISMATCH: msg`Another machine`,
}

/** In the reader's language; a code that this page doesn't know stands for itself. */
export const refusalReason = (code: string): string => {
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  return reason ? i18n._(reason) : code
}
