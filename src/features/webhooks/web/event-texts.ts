import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { WebhookEvent } from '../webhooks.rules.ts'

/** Names of the webhook events. */
export const eventTexts: Record<WebhookEvent, MessageDescriptor> = {
  'license.created': msg`License created`,
  'license.redeemed': msg`License redeemed`,
  'license.banned': msg`License banned`,
  'license.unbanned': msg`License unbanned`,
  'license.extended': msg`License extended`,
  'license.deleted': msg`License deleted`,
  'user.created': msg`User created`,
  'user.extended': msg`User extended`,
  'user.expired': msg`User expired`,
  'user.subscription_changed': msg`Subscription of a user changed`,
  'user.hwid_reset': msg`HWID reset`,
  'user.paused': msg`User paused`,
  'user.unpaused': msg`User unpaused`,
  'user.banned': msg`User banned`,
  'user.unbanned': msg`User unbanned`,
  'user.deleted': msg`User deleted`,
  'sign_in.succeeded': msg`Sign-in succeeded`,
  'sign_in.refused': msg`Sign-in rejected`,
  'file.downloaded': msg`File downloaded`,
  'alert.raised': msg`Alert raised`,
}
