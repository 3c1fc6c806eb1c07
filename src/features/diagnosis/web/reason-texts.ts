import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { rejectionTitle } from '#features/logs/web/rejection-texts.ts'

/** Ends of "Rejected since Nov 20, 2:03 PM: …". */
const reasons: Readonly<Record<string, MessageDescriptor>> = {
  APP_DISABLED: msg`this app is turned off`,
  VERSION_OUTDATED: msg`the program's version is out of date`,
  HASH_MISMATCH: msg`the program's file was changed`,
  VPN_BLOCKED: msg`the address belongs to a VPN`,
  CANNOT_OPEN_SEALED_BODY: msg`the request was not sealed for this app`,
  CLOCK_SKEW: msg`the machine's clock is wrong`,
  LICENSE_NOT_FOUND: msg`this app has no license with this key`,
  LICENSE_BANNED: msg`this license is banned`,
  LICENSE_ALREADY_USED: msg`this license has already been redeemed`,
  SUBSCRIPTION_EXPIRED: msg`no time is left`,
  SUBSCRIPTION_PAUSED: msg`this level is paused`,
  INVALID_CREDENTIALS: msg`wrong username or password`,
  LOGIN_COOLDOWN: msg`too many wrong passwords`,
  USER_BANNED: msg`this user is banned`,
  USER_LIMIT_REACHED: msg`the app has as many users as your plan allows`,
  USER_PAUSED: msg`this user is paused`,
  HWID_REQUIRED: msg`the program sent no HWID`,
  HWID_TOO_SHORT: msg`the HWID is too short`,
  HWID_MISMATCH: msg`this user is bound to another machine`,
}

export function reasonText(code: string): string {
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  return reason ? i18n._(reason) : rejectionTitle(code)
}
