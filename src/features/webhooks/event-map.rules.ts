import type { AuditEvent } from '#contract/audit-events.ts'
import type { WebhookEvent } from './webhooks.rules.ts'

/** Events of an app that are not in the audit log. */
export type AppOnlyEvent =
  | 'license.redeem'
  | 'user.expire'
  | 'sign-in.succeed'
  | 'sign-in.refuse'
  | 'file.download'
  | 'alert.raised'
  | 'alert.grow'
  | 'webhook.judge'
  | 'download.release'

/** Audit events about what owners sell; no other has a webhook event. */
type SalesEvent = Extract<AuditEvent, `${'license' | 'user'}.${string}`>

/** The webhook event of an event; null for those without one. */
const webhookEvents: Readonly<Record<SalesEvent | AppOnlyEvent, WebhookEvent | null>> = {
  'license.create': 'license.created',
  'license.update': null,
  'license.add-time': 'license.extended',
  'license.ban': 'license.banned',
  'license.unban': 'license.unbanned',
  'license.delete': 'license.deleted',
  'license.bulk-ban': 'license.banned',
  'license.bulk-unban': 'license.unbanned',
  'license.bulk-add-time': 'license.extended',
  'license.bulk-delete': 'license.deleted',
  'license.delete-all': 'license.deleted',
  'license.delete-used': 'license.deleted',
  'license.delete-unused': 'license.deleted',
  'user.create': 'user.created',
  'user.edit': null,
  'user.change-password': null,
  'user.request-reset': null,
  'user.reset-password': null,
  'user.login-failed': null,
  'user.upgrade': 'user.subscription_changed',
  'user.ban': 'user.banned',
  'user.unban': 'user.unbanned',
  'user.pause': 'user.paused',
  'user.unpause': 'user.unpaused',
  'user.reset-hwid': 'user.hwid_reset',
  'user.extend': 'user.extended',
  'user.subtract': 'user.subscription_changed',
  'user.delete': 'user.deleted',
  'user.add-subscription': 'user.subscription_changed',
  'user.update-subscription': 'user.subscription_changed',
  'user.remove-subscription': 'user.subscription_changed',
  'user.create-variable': null,
  'user.update-variable': null,
  'user.delete-variable': null,
  'user.bulk-ban': 'user.banned',
  'user.bulk-unban': 'user.unbanned',
  'user.bulk-pause': 'user.paused',
  'user.bulk-unpause': 'user.unpaused',
  'user.bulk-reset-hwid': 'user.hwid_reset',
  'user.bulk-extend': 'user.extended',
  'user.bulk-subtract': 'user.subscription_changed',
  'user.bulk-delete': 'user.deleted',
  'user.delete-expired': 'user.deleted',
  'user.delete-all': 'user.deleted',
  'user.reset-all-hwid': 'user.hwid_reset',
  'user.unban-all': 'user.unbanned',
  'license.redeem': 'license.redeemed',
  'user.expire': 'user.expired',
  'sign-in.succeed': 'sign_in.succeeded',
  'sign-in.refuse': 'sign_in.refused',
  'file.download': 'file.downloaded',
  'alert.raised': 'alert.raised',
  // What the lists show of an alert, a webhook, or a file has changed.
  'alert.grow': null,
  'webhook.judge': null,
  'download.release': null,
}

/** Undo has no webhook event: the restored state was already announced. */
export const webhookEventOf = (event: string): WebhookEvent | null =>
  (webhookEvents as Readonly<Record<string, WebhookEvent | null>>)[event] ?? null
