import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf, changesOf } from '#server/audit/changes.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { enqueueJobs } from '#server/jobs/jobs.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import { findChatLink } from '#features/apps/apps.reads.ts'
import { randomText } from '#server/secrets/random-text.ts'
import type { Services } from '#server/services.ts'
import { putWebhooksInBin } from './deleted-webhooks.actions.ts'
import { newSecret, sealAsPrevious } from './webhook-secret.ts'
import { addDelivery, chatTarget } from './webhook-events.ts'
import { countWebhooks, findChatEvents, findDelivery, type Webhook } from './webhooks.reads.ts'
import { webhooksErrors } from './webhooks.errors.ts'
import {
  defaultUserAgent,
  maxWebhooks,
  userAgentProblem,
  type WebhookEvent,
  webhookEvents,
  webhookNameProblem,
  webhookUrlProblem,
} from './webhooks.rules.ts'
import { insertWebhook, lockWebhook, lockWebhooksOfApp, updateWebhookRow, upsertChatEvents } from './webhooks.writes.ts'

type WebhookContext = AppContext & { services: Pick<Services, 'masterKey' | 'outgoing'> }

export interface WebhookFields {
  name?: string | undefined
  url?: string | undefined
  userAgent?: string | undefined
  authenticated?: boolean | undefined
  events?: readonly WebhookEvent[] | undefined
}

/** The fields of a webhook that an owner may change, as in the call. */
export const webhookFields = (webhook: Webhook) => ({
  name: webhook.name,
  url: webhook.url,
  userAgent: webhook.user_agent,
  authenticated: webhook.authenticated === 1,
  events: JSON.parse(webhook.events) as WebhookEvent[],
})

/** A webhook with its secret, which is shown only once. */
export async function createWebhook(
  tx: Tx,
  context: WebhookContext,
  fields: WebhookFields & { url: string },
): Promise<{ id: string; secret: string }> {
  const { app, now, services } = context
  const { name = '', url, userAgent = defaultUserAgent, authenticated = true, events = [] } = checked(context, fields)
  // Webhooks created in parallel count each other.
  await lockApp(tx, app.id)
  if ((await countWebhooks(tx.db, { appId: app.id })) >= maxWebhooks)
    reject(webhooksErrors, 'WEBHOOK_LIMIT_REACHED', { values: { limit: maxWebhooks } })
  const id = `wh_${randomText(12)}`
  const { text, sealed } = newSecret(services.masterKey, { app_id: app.id, id })
  await insertWebhook(tx.db, {
    app_id: app.id,
    id,
    name,
    url: url as string,
    user_agent: userAgent,
    authenticated: authenticated ? 1 : 0,
    events: JSON.stringify(events),
    secret_sealed: sealed,
    created_at: now,
  })
  await changed(tx, context, { act: 'webhook.create', target: id, details: { host: hostOf(url as string), events } })
  return { id, secret: text }
}

export interface WebhookEdit {
  webhookId: string
  change: WebhookFields
  /** Resumes delivery after a stop. */
  start?: boolean | undefined
  /** The values the caller saw in the fields it changes. */
  before?: object | undefined
}

/** Changes only the given fields. */
export async function updateWebhook(tx: Tx, context: WebhookContext, edit: WebhookEdit): Promise<void> {
  const webhook = await getWebhook(tx, context, edit.webhookId)
  const change = checked(context, edit.change)
  rejectFieldConflict({ before: edit.before, change }, webhookFields(webhook))
  const values = {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.url !== undefined && { url: change.url }),
    ...(change.url !== undefined && change.url !== webhook.url && { failing_since: null }),
    ...(change.userAgent !== undefined && { user_agent: change.userAgent }),
    ...(change.authenticated !== undefined && { authenticated: change.authenticated ? 1 : 0 }),
    ...(change.events && { events: JSON.stringify(change.events) }),
    ...(edit.start && { stopped_at: null, failing_since: null }),
  }
  if (Object.keys(values).length > 0) await updateWebhookRow(tx.db, { appId: context.app.id, id: webhook.id }, values)
  const { url, ...rest } = change
  const details = { ...rest, ...(url !== undefined && { host: hostOf(url) }) }
  const current = webhookFields(webhook)
  const changes = changesOf(
    { ...current, host: hostOf(current.url) },
    { ...change, ...(url !== undefined && { host: hostOf(url) }) },
    { hidden: ['url'] },
  )
  await changed(tx, context, { act: 'webhook.update', target: webhook.id, details, changes })
}

/** Gives a webhook a new secret, shown only once; the previous one also signs for `overlapHours` more. */
export async function rotateSecret(
  tx: Tx,
  context: WebhookContext,
  { webhookId, overlapHours }: { webhookId: string; overlapHours: number },
): Promise<string> {
  const webhook = await getWebhook(tx, context, webhookId)
  const { masterKey } = context.services
  const { text, sealed } = newSecret(masterKey, webhook)
  const previous =
    overlapHours === 0
      ? { previous_sealed: null, previous_until: null }
      : { previous_sealed: sealAsPrevious(masterKey, webhook), previous_until: context.now + overlapHours * 3600 }
  const key = { appId: context.app.id, id: webhook.id }
  await updateWebhookRow(tx.db, key, { secret_sealed: sealed, ...previous })
  await changed(tx, context, { act: 'webhook.rotate', target: webhook.id, details: { overlapHours } })
  return text
}

/** Puts a webhook into the bin; returns what restores it. */
export async function deleteWebhook(tx: Tx, context: AppContext, webhookId: string): Promise<string> {
  const webhook = await getWebhook(tx, context, webhookId)
  const undoId = newDeletion()
  await putWebhooksInBin(tx, context, [webhook], undoId)
  await changed(tx, context, { act: 'webhook.delete', target: webhook.id, operations: [undoId] })
  return undoId
}

/** Puts all webhooks of the app into the bin; returns their number, and what restores them if there are any. */
export async function deleteAllWebhooks(
  tx: Tx,
  context: AppContext,
): Promise<{ deleted: number; undoId: string | null }> {
  const webhooks = await lockWebhooksOfApp(tx.db, context.app.id)
  const undoId = newDeletion()
  await putWebhooksInBin(tx, context, webhooks, undoId)
  const target = { noun: 'webhooks', names: webhooks.map(({ id }) => id) }
  await changed(tx, context, { act: 'webhook.delete-all', target, operations: [undoId] })
  return { deleted: webhooks.length, undoId: webhooks.length > 0 ? undoId : null }
}

/** Events announced on the app's chat link. */
export async function setChatEvents(
  tx: Tx,
  context: AppContext,
  { events, before }: { events: readonly WebhookEvent[]; before?: object | undefined },
): Promise<void> {
  const chosen = inOrder(events)
  const { id } = context.app
  // An app that has never chosen any has no row of its own to lock.
  await lockApp(tx, id)
  const current = await findChatEvents(tx.db, id)
  rejectFieldConflict({ before, change: { events: chosen } }, { events: current })
  const changes = changeOf('events', current, chosen)
  await upsertChatEvents(tx.db, id, JSON.stringify(chosen))
  await changed(tx, context, { act: 'webhook.chat-events', target: id, details: { events: chosen }, changes })
}

/** Delivers a message again, with the same ID and a new retry schedule. */
export async function replayDelivery(
  tx: Tx,
  context: AppContext,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: number },
): Promise<void> {
  const { app, now } = context
  const webhook = webhookId === chatTarget ? undefined : await getWebhook(tx, context, webhookId)
  const delivery = await findDelivery(tx.db, app.id, deliveryId)
  if (delivery?.webhook_id !== webhookId) reject(webhooksErrors, 'DELIVERY_NOT_FOUND')
  // The attempt would be dropped.
  if (webhook && webhook.stopped_at !== null) reject(webhooksErrors, 'WEBHOOK_STOPPED')
  if (!webhook && (await findChatLink(tx.db, app.id)) === '') reject(webhooksErrors, 'CHAT_LINK_MISSING')
  const { message_id: messageId, event, body } = delivery
  const job = await addDelivery(tx, { ownerId: app.ownerId, appId: app.id, webhookId, messageId, event, body, now })
  await enqueueJobs(tx, [job], now)
  await recordAudit(tx, context, { act: 'webhook.replay', target: webhookId, details: { messageId } })
}

async function getWebhook(tx: Tx, { app }: AppContext, id: string): Promise<Webhook> {
  return (await lockWebhook(tx.db, app.id, id)) ?? reject(webhooksErrors, 'WEBHOOK_NOT_FOUND')
}

async function changed(tx: Tx, context: AppContext, entry: Parameters<typeof recordAudit>[2]): Promise<void> {
  tx.publish(`webhooks:${context.app.id}`)
  await recordAudit(tx, context, entry)
}

/** The path may be a secret; the host is sufficient. */
const hostOf = (url: string): string => new URL(url).host

const inOrder = (events: readonly WebhookEvent[]): WebhookEvent[] =>
  webhookEvents.filter((event) => events.includes(event))

/** The given fields as they will be stored. */
function checked(
  { services }: WebhookContext,
  { name, url, userAgent, authenticated, events }: WebhookFields,
): WebhookFields {
  if (name !== undefined) rejectProblem(webhooksErrors, atField(webhookNameProblem(name), 'name'))
  if (url !== undefined) {
    rejectProblem(webhooksErrors, atField(webhookUrlProblem(url), 'url'))
    if (!services.outgoing.isAllowed(url.trim()))
      rejectProblem(webhooksErrors, { code: 'WEBHOOK_URL_NOT_ALLOWED', field: 'url' })
  }
  if (userAgent !== undefined) rejectProblem(webhooksErrors, atField(userAgentProblem(userAgent), 'userAgent'))
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(url !== undefined && { url: url.trim() }),
    ...(userAgent !== undefined && { userAgent: userAgent.trim() }),
    ...(authenticated !== undefined && { authenticated }),
    ...(events && { events: inOrder(events) }),
  }
}

const atField = <P extends object>(problem: P | undefined, field: string) => problem && { ...problem, field }
