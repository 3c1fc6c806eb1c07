import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Names of recorded fields; others are shown as the API names them. */
const fieldTexts: Record<string, MessageDescriptor> = {
  name: msg`Name`,
  appName: msg`App name`,
  keyName: msg`Name`,
  downloadId: msg`File ID`,
  displayName: msg`Display name`,
  description: msg`Description`,
  version: msg`Version`,
  notes: msg`Notes`,
  email: msg`Email`,
  password: msg`Password`,
  hwid: msg`HWID`,
  level: msg`Level`,
  expiry: msg`Expires`,
  active: msg`Active`,
  authenticated: msg`Only after sign-in`,
  banned: msg`Banned`,
  paused: msg`Paused`,
  status: msg`Status`,
  variableData: msg`Value`,
  url: msg`URL`,
  userAgent: msg`User-Agent`,
  host: msg`Host`,
  events: msg`Events`,
  permissions: msg`Permissions`,
  days: msg`Days`,
  credits: msg`Credits`,
  timeZone: msg`Time zone`,
  price: msg`Price`,
  planType: msg`Plan`,
  planExpiresAt: msg`Plan ends`,
  threshold: msg`Threshold`,
  enabled: msg`Enabled`,
}

export function fieldText(field: string): string | undefined {
  const text = Object.hasOwn(fieldTexts, field) ? fieldTexts[field] : undefined
  return text && i18n._(text)
}
