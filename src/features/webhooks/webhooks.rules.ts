import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { webhooksErrors } from './webhooks.errors.ts'

/** Validation of webhooks, and their events. Runs in the server and the dashboard. */

export const defaultUserAgent = 'Mozilla/5.0'
/** Of requests for which no owner chose one. */
export const ownUserAgent = 'Signet-Webhooks/1.0'
export const maxNameLength = 60
export const maxUrlLength = 2000
export const maxUserAgentLength = 200
export const maxWebhooks = 50
export const overlapHours = { standard: 24, max: 72 } as const

/** Events for owners; their names must never change. */
export const webhookEvents = [
  'license.created',
  'license.redeemed',
  'license.banned',
  'license.unbanned',
  'license.extended',
  'license.deleted',
  'user.created',
  'user.extended',
  'user.expired',
  'user.subscription_changed',
  'user.hwid_reset',
  'user.paused',
  'user.unpaused',
  'user.banned',
  'user.unbanned',
  'user.deleted',
  'sign_in.succeeded',
  'sign_in.refused',
  'file.downloaded',
  'alert.raised',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]

/** Whether deliveries of a webhook get through, are repeated because all of them fail, or have stopped. */
export const webhookStatuses = ['working', 'failing', 'stopped'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** Times in epoch seconds. */
export function webhookStatus(webhook: { stoppedAt: number | null; failingSince: number | null }): WebhookStatus {
  if (webhook.stoppedAt !== null) return 'stopped'
  return webhook.failingSince === null ? 'working' : 'failing'
}

type WebhookProblem = Problem<keyof typeof webhooksErrors> | undefined

export function webhookNameProblem(name: string): WebhookProblem {
  const text = name.trim()
  const fits = text.length <= maxNameLength && !hasInvisible(text)
  return fits ? undefined : { code: 'WEBHOOK_NAME_INVALID', values: { max: maxNameLength } }
}

/** Display name of a webhook; many have no name. */
export const webhookTitle = ({ name, url }: { name: string; url: string }): string => name || new URL(url).host

export function webhookUrlProblem(url: string): WebhookProblem {
  const text = url.trim()
  if (text === '') return { code: 'WEBHOOK_URL_REQUIRED' }
  if (text.length > maxUrlLength) return { code: 'WEBHOOK_URL_TOO_LONG', values: { max: maxUrlLength } }
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  return isWeb ? undefined : { code: 'WEBHOOK_URL_INVALID' }
}

/** Used as a header, so only visible ASCII characters are allowed. */
export function userAgentProblem(userAgent: string): WebhookProblem {
  const text = userAgent.trim()
  if (text === '') return { code: 'USER_AGENT_REQUIRED' }
  const fits = text.length <= maxUserAgentLength && /^[\x20-\x7e]+$/.test(text)
  return fits ? undefined : { code: 'USER_AGENT_INVALID', values: { max: maxUserAgentLength } }
}

const minute = 60
const hour = 3600

/** Seconds until the next attempt, by the number of the failed attempt. */
export const retrySchedule = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** ±20 %. */
const spread = (random: number): number => 0.8 + 0.4 * random

export const maxRetryPause = Math.max(...retrySchedule) * spread(1)

/** After failing for this long, delivery stops. */
export const maxFailingSeconds = 5 * 86_400

/** Seconds until the next attempt after `attempt` failed, ±20 %; undefined after the last one. `random` is 0 to 1. */
export function retryPause(attempt: number, random: number): number | undefined {
  const pause = retrySchedule[attempt - 1]
  return pause === undefined ? undefined : Math.round(pause * spread(random))
}

/** Text of a chat message, which has no layout: `License banned: ABCD`. */
export const eventTitles: Readonly<Record<WebhookEvent, string>> = {
  'license.created': 'License created',
  'license.redeemed': 'License redeemed',
  'license.banned': 'License banned',
  'license.unbanned': 'License unbanned',
  'license.extended': 'License extended',
  'license.deleted': 'License deleted',
  'user.created': 'User created',
  'user.extended': 'User extended',
  'user.expired': 'User expired',
  'user.subscription_changed': 'Subscription of a user changed',
  'user.hwid_reset': 'HWID reset',
  'user.paused': 'User paused',
  'user.unpaused': 'User unpaused',
  'user.banned': 'User banned',
  'user.unbanned': 'User unbanned',
  'user.deleted': 'User deleted',
  'sign_in.succeeded': 'Sign-in succeeded',
  'sign_in.refused': 'Sign-in rejected',
  'file.downloaded': 'File downloaded',
  'alert.raised': 'Alert raised',
}
