import { reject } from '#contract/errors.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { callReceiver, recordAttempt } from '../webhook-deliveries.ts'
import { addDelivery, eventBody, newMessageId } from '../webhook-events.ts'
import { webhooksContract } from '../webhooks.contract.ts'
import { findDelivery, listWebhooksOfApp, type Webhook } from '../webhooks.reads.ts'
import { webhooksErrors } from '../webhooks.errors.ts'

const call = webhooksContract.testWebhooks

type Context = CallContext<typeof call>

const testEvent = 'webhook.test'
const atOnce = 10
const testsPerMinute = 30
/** One test can call all webhooks of an app, which may have the same receiver. */
const requestsPerMinute = 100

/** Sends real requests: one attempt each, whose result is the reply. */
export const testWebhooks = endpoint(call, {
  writeInBatches: async (context) => {
    const { services, app, body } = context
    const limit = { purpose: 'webhook tests', subject: app.id, max: testsPerMinute, seconds: 60 }
    services.rateLimits.take(limit, services.clock())
    const webhooks = await chosen(context)
    const requests = { ...limit, purpose: 'requests of webhook tests', max: requestsPerMinute }
    webhooks.forEach(() => services.rateLimits.take(requests, services.clock()))
    const target = { noun: 'webhooks', names: webhooks.map(({ id }) => id) }
    await services.db.write((tx) => recordAudit(tx, context, { act: 'webhook.test', target }))
    const results = []
    for (let from = 0; from < webhooks.length; from += atOnce) {
      throwIfAborted()
      results.push(...(await Promise.all(webhooks.slice(from, from + atOnce).map((each) => test(context, each)))))
    }
    const delivered = results.filter((result) => result.delivered).length
    const failed = results.length - delivered
    const code =
      failed > 0 ? 'WEBHOOKS_TEST_FAILED' : body.webhookIds?.length === 1 ? 'WEBHOOK_TEST_OK' : 'WEBHOOKS_TEST_OK'
    return { code, values: { delivered, failed }, delivered, failed, results }
  },
})

async function chosen({ services, app, body: { webhookIds: ids } }: Context): Promise<Webhook[]> {
  const all = await listWebhooksOfApp(services.db.read, app.id)
  const webhooks = ids ? all.filter(({ id }) => ids.includes(id)) : all
  if (ids && webhooks.length < new Set(ids).size) reject(webhooksErrors, 'WEBHOOK_NOT_FOUND')
  return webhooks
}

async function test({ services, app, now }: Context, webhook: Webhook) {
  const { db } = services
  const id = newMessageId()
  const details = { message: 'This is a test.' }
  const body = eventBody(testEvent, { appId: app.id, at: now, target: webhook.id, details })
  const attempt = await callReceiver(services, webhook, { ownerId: app.ownerId, use: 'call', id, body })
  await db.write(async (tx) => {
    const { payload } = await addDelivery(tx, {
      ownerId: app.ownerId,
      appId: app.id,
      webhookId: webhook.id,
      messageId: id,
      event: testEvent,
      body,
      now,
    })
    const { deliveryId } = payload as { deliveryId: number }
    const delivery = await findDelivery(tx.db, app.id, deliveryId)
    if (delivery) await recordAttempt(tx, delivery, attempt, { now, nextAt: undefined })
  })
  const { isDelivered, status = null, failure = '', durationMs, answer, signature: headers } = attempt
  return { webhookId: webhook.id, delivered: isDelivered, status, failure, durationMs, answer, body, headers }
}
