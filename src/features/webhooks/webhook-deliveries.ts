import { randomInt } from 'node:crypto'
import type { Tx } from '#database/database.ts'
import { findAccount } from '#features/accounts/accounts.reads.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import { findAppOwner, findChatLink, findOwnApp, findOwnedApp } from '#features/apps/apps.reads.ts'
import { hasPlanFeature } from '#features/plans/plans.reads.ts'
import { dropLane, type Job, type JobHandler, type RunAgain } from '#server/jobs/jobs.ts'
import { queueMail } from '#server/mail/mail.ts'
import { type OutgoingAnswer, type OutgoingRequest, outgoingLimits } from '#server/network/outgoing.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { signedHeaders } from './webhook-secret.ts'
import { chatTarget, deliveryKind, type DeliveryPayload, laneOf } from './webhook-events.ts'
import {
  findDelivery,
  findLastDelivery,
  findWebhook,
  isWebhookKept,
  listDeliveryStates,
  type Webhook,
  type WebhookDelivery,
} from './webhooks.reads.ts'
import { maxFailingSeconds, maxRetryPause, ownUserAgent, retryPause } from './webhooks.rules.ts'
import {
  deleteDeliveriesOf,
  deleteOldDeliveries,
  lockWebhook,
  stopDeliveries,
  updateDelivery,
  updateWebhookRow,
} from './webhooks.writes.ts'

/** Sends deliveries from the outbox: at least once, with the same ID on each attempt. */

export const retentionSeconds = 30 * 86_400
const rowsPerTransaction = 500
const gone = 410
const maxRetryAfterSeconds = 86_400

export interface Attempt extends OutgoingAnswer {
  durationMs: number
  isDelivered: boolean
}

/** With the headers that signed it. */
interface SignedAttempt extends Attempt {
  signature: Record<string, string>
}

interface Message extends Pick<OutgoingRequest, 'ownerId' | 'use'> {
  /** `webhook-id`. */
  id: string
  body: string
  maxAnswerBytes?: number
}

/** One signed request to a webhook. */
export async function callReceiver(
  services: Services,
  webhook: Webhook,
  { id, body, ...limits }: Message,
): Promise<SignedAttempt> {
  const signature = signedHeaders(services.masterKey, webhook, { id, body, at: epochSeconds(services) })
  const attempt = await send(services, {
    url: webhook.url,
    body,
    headers: { ...signature, 'user-agent': webhook.user_agent },
    ...limits,
  })
  return { ...attempt, signature }
}

async function send({ outgoing }: Services, request: OutgoingRequest): Promise<Attempt> {
  const started = performance.now()
  const answer = await outgoing.post(request)
  const { failure, status = 0 } = answer
  const isDelivered = failure === undefined && status >= 200 && status < 300
  return { ...answer, isDelivered, durationMs: Math.round(performance.now() - started) }
}

async function isInPlan(services: Services, appId: string): Promise<boolean> {
  const { read } = services.db
  // The rows of a deleted app are removed little by little.
  const app = await findOwnedApp(read, appId)
  return app !== undefined && hasPlanFeature(read, app.owner_id, 'webhooks', epochSeconds(services))
}

/** Stores the result of an attempt. */
export async function recordAttempt(
  tx: Tx,
  delivery: Pick<WebhookDelivery, 'app_id' | 'id' | 'attempts'>,
  attempt: Attempt,
  { now, nextAt }: { now: number; nextAt: number | undefined },
): Promise<void> {
  await updateDelivery(
    tx.db,
    { appId: delivery.app_id, id: delivery.id },
    {
      state: attempt.isDelivered ? 'delivered' : nextAt === undefined ? 'failed' : 'waiting',
      attempts: delivery.attempts + 1,
      status: attempt.status ?? null,
      failure: attempt.failure ?? '',
      answer: attempt.answer,
      duration_ms: attempt.durationMs,
      attempted_at: now,
      next_at: attempt.isDelivered ? null : (nextAt ?? null),
    },
  )
}

async function deliver(services: Services, job: Job<DeliveryPayload>): Promise<RunAgain | void> {
  const { db } = services
  const { appId, webhookId, deliveryId } = job.payload
  const delivery = await findDelivery(db.read, appId, deliveryId)
  if (delivery?.state !== 'waiting') return
  const webhook = await findWebhook(db.read, appId, webhookId)
  const chatLink = webhookId === chatTarget ? await findChatLink(db.read, appId) : ''
  const isThere =
    webhookId === chatTarget ? chatLink !== '' : webhook?.stopped_at === null && isFor(webhook, deliveryId)
  // The owner's plan may have expired since the delivery was stored.
  const isWanted = isThere && (await isInPlan(services, appId))
  if (!isWanted) {
    await db.write((tx) => updateDelivery(tx.db, { appId, id: deliveryId }, { state: 'failed', next_at: null }))
    return
  }
  const { body, message_id: id } = delivery
  const attempt = webhook
    ? await callReceiver(services, webhook, { ownerId: job.owner, use: 'delivery', id, body })
    : await send(services, {
        url: chatLink,
        ownerId: job.owner,
        use: 'delivery',
        body,
        headers: { 'user-agent': ownUserAgent },
      })
  const now = epochSeconds(services)
  // Another delivery is probing the receiver: this one waits without using a slot and does not count as an attempt.
  if (attempt.failure === 'paused') return { nextAt: now + (attempt.retryAfterSeconds ?? 0), pausesLane: true }
  const isLast = attempt.isDelivered || attempt.status === gone
  const pause = isLast ? undefined : retryPause(delivery.attempts + 1, randomInt(1000) / 1000)
  const nextAt =
    pause === undefined
      ? undefined
      : now + Math.max(pause, Math.min(attempt.retryAfterSeconds ?? 0, maxRetryAfterSeconds))
  const retryAt = await db.write(async (tx) => {
    const current = webhook && (await lockWebhook(tx.db, appId, webhook.id))
    // Deleted during the attempt, and perhaps restored: it was the last one.
    const isWaiting = !webhook || (current !== undefined && isFor(current, deliveryId))
    const retry = isWaiting ? nextAt : undefined
    await recordAttempt(tx, delivery, attempt, { now, nextAt: retry })
    // The answer of an earlier URL says nothing about the current one.
    if (current && current.url === webhook?.url)
      await judgeWebhook(tx, services, current, { ownerId: job.owner, attempt, now })
    // In the same transaction: if the process dies in between, the delivery is sent again but counted once.
    if (retry === undefined) await job.finish(tx)
    return retry
  })
  if (retryAt !== undefined) return { nextAt: retryAt, error: attempt.failure ?? `status ${attempt.status}` }
}

/** False for what waited for a webhook when it was deleted. */
const isFor = ({ deliver_after: last }: Webhook, deliveryId: number): boolean => deliveryId > Number(last ?? 0)

/** Stops a locked webhook whose receiver asked for it or has failed for days, until its owner restarts it. */
async function judgeWebhook(
  tx: Tx,
  services: Services,
  webhook: Webhook,
  { ownerId, attempt, now }: { ownerId: string; attempt: Attempt; now: number },
): Promise<void> {
  const { app_id: appId, id } = webhook
  const announce = () => tx.emit({ type: 'webhook.judge', appId, ownerId, at: now, target: id, details: {} })
  if (attempt.isDelivered) {
    if (webhook.failing_since === null) return
    await updateWebhookRow(tx.db, { appId, id }, { failing_since: null })
    return announce()
  }
  const failingSince = webhook.failing_since ?? now
  const stops = attempt.status === gone || now - failingSince >= maxFailingSeconds
  await updateWebhookRow(tx.db, { appId, id }, { failing_since: failingSince, ...(stops && { stopped_at: now }) })
  if (stops || webhook.failing_since === null) announce()
  if (!stops) return
  tx.publish(`webhooks:${appId}`)
  // Only once: a stopped webhook gets nothing that could fail again.
  if (webhook.stopped_at === null) await mailStopped(tx, services, webhook, { isGone: attempt.status === gone, now })
}

async function mailStopped(
  tx: Tx,
  services: Services,
  { app_id: appId, url }: Webhook,
  { isGone, now }: { isGone: boolean; now: number },
): Promise<void> {
  const ownerId = await findAppOwner(tx.db, appId)
  const owner = ownerId === undefined ? undefined : await findAccount(tx.db, ownerId)
  const app = owner && (await findOwnApp(tx.db, owner.id, appId))
  if (!app) return
  const reason = isGone ? ('gone' as const) : ('failing' as const)
  const values = { appId, app: app.name, host: new URL(url).host, reason }
  const { email: to, language } = owner
  await queueMail(tx, services, { to, language, code: 'webhook-stopped', values }, now)
}

export interface CleanUpPayload {
  appId: string
  webhookId: string
  /** ID of its last delivery; without it, all are meant. */
  upTo?: number
}

/** Ends what waits for a deleted webhook, and deletes its log unless it can be restored or already was. */
async function cleanUp({ db }: Services, { payload }: Job<CleanUpPayload>): Promise<void> {
  const { appId, webhookId } = payload
  let { upTo = Number.MAX_SAFE_INTEGER } = payload
  const limit = rowsPerTransaction
  for (let isDone = false; !isDone;) {
    const lane = await db.write(async (tx) => {
      // As by a restoration: afterwards, new deliveries wait in the same lane.
      await lockApp(tx, appId)
      if (await findWebhook(tx.db, appId, webhookId)) return { isEmpty: true, last: 0 }
      const isEmpty = await dropLane(tx, deliveryKind, laneOf(appId, webhookId))
      // An event beside the deletion may have been stored after it: its job is dropped, too.
      return { isEmpty, last: (await findLastDelivery(tx.db, appId, webhookId)) ?? 0 }
    })
    upTo = Math.max(upTo, lane.last)
    isDone = lane.isEmpty
  }
  for (let after = 0, seen = limit; seen === limit;) {
    const deliveries = await listDeliveryStates(db.read, { appId, webhookId, after, upTo, limit })
    const waiting = deliveries.filter(({ state }) => state === 'waiting').map(({ id }) => id)
    await db.write((tx) => stopDeliveries(tx.db, appId, waiting))
    seen = deliveries.length
    after = Number(deliveries.at(-1)?.id)
  }
  if (await isWebhookKept(db.read, appId, webhookId)) return
  while ((await db.write((tx) => deleteDeliveriesOf(tx.db, { appId, webhookId, limit }))) === limit);
}

export const cleanUpKind = 'webhook-clean-up'

export const webhookJobs: Readonly<Record<string, JobHandler>> = {
  [deliveryKind]: {
    concurrency: outgoingLimits.delivery.max,
    shares: { maxPerOwner: outgoingLimits.delivery.maxPerOwner, maxUnproven: outgoingLimits.delivery.max / 2 },
    leaseSeconds: 60,
    maxAttempts: 20,
    maxPauseSeconds: maxRetryPause,
    run: deliver as JobHandler['run'],
  },
  [cleanUpKind]: { concurrency: 1, leaseSeconds: 300, maxAttempts: 20, run: cleanUp as JobHandler['run'] },
  'webhook-retention': {
    concurrency: 1,
    leaseSeconds: 600,
    maxAttempts: 20,
    everySeconds: 3600,
    run: (services) => deleteOldDeliveries(services.db, epochSeconds(services) - retentionSeconds),
  },
}
