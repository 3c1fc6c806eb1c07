import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver
let webhookId: string

beforeAll(async () => {
  app = await startTestApp()
  receiver = await startReceiver(app)
  owner = await newOwnerWithApp(app)
  const body = { url: receiver.url, events: ['license.created' as const] }
  webhookId = (await owner.visitor.call('POST /create_webhook', { body })).body.webhookId
  await newLicenses(owner, 1)
  await app.jobsDone()
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})

const deliveries = async () =>
  (await owner.visitor.call('GET /webhook_deliveries', { query: { webhookId } })).body.deliveries

test('delivers the same message again under the same ID, so a receiver can recognize it', async () => {
  const [first] = await deliveries()
  const body = { webhookId, deliveryId: first?.id ?? 0 }
  app.advance(60)
  expect((await owner.visitor.call('POST /replay_webhook_delivery', { body })).body.code).toBe('WEBHOOK_REPLAY_OK')
  await app.jobsDone()
  const [one, other] = receiver.received
  expect(other?.body).toBe(one?.body)
  expect(other?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
  expect(other?.headers['webhook-timestamp']).not.toBe(one?.headers['webhook-timestamp'])
  expect((await deliveries()).map(({ state, messageId }) => [state, messageId])).toEqual([
    ['delivered', first?.messageId],
    ['delivered', first?.messageId],
  ])
})

test('an unknown delivery ID delivers nothing', async () => {
  const [first] = await deliveries()
  const valid = { webhookId, deliveryId: first?.id ?? 0 }
  const other = await owner.visitor.call('POST /create_webhook', { body: { url: 'https://hooks.example/' } })
  const hostile = {
    webhookId: [...notTexts, 'x'.repeat(41)],
    deliveryId: [undefined, null, 0, -1, 1.5, 'x', []],
  }
  await expectAllRejected(app, owner.visitor, '/replay_webhook_delivery', hostileBodies(valid, hostile))
  for (const body of [
    { ...valid, deliveryId: 999_999_999 },
    { ...valid, webhookId: other.body.webhookId },
    { deliveryId: valid.deliveryId },
  ]) {
    const answer = await owner.visitor.call('POST /replay_webhook_delivery', { body })
    expect(answer).toMatchObject({ status: 404, body: { code: 'DELIVERY_NOT_FOUND' } })
  }
})

test('what would not be sent is rejected: of a stopped webhook, and of a chat link that is not set', async () => {
  const setLink = (link: string) =>
    app.db.write(({ db }) =>
      db.updateTable('apps').set({ discord_webhook_link: link }).where('id', '=', owner.appId).execute(),
    )
  await setLink(receiver.url)
  await owner.visitor.call('POST /update_chat_events', { body: { events: ['license.created'] } })
  await newLicenses(owner, 1)
  await app.jobsDone()
  const [ofChat] = (await owner.visitor.call('GET /webhook_deliveries', { query: {} })).body.deliveries
  const [ofWebhook] = await deliveries()
  const stop = (at: number | null) =>
    app.db.write(({ db }) => db.updateTable('webhooks').set({ stopped_at: at }).where('id', '=', webhookId).execute())
  await stop(app.now())
  await setLink('')
  const count = receiver.received.length
  const replay = (body: { webhookId?: string; deliveryId: number }) =>
    owner.visitor.call('POST /replay_webhook_delivery', { body })
  const [chat, webhook] = [{ deliveryId: ofChat?.id ?? 0 }, { webhookId, deliveryId: ofWebhook?.id ?? 0 }]
  expect(await replay(webhook)).toMatchObject({ status: 409, body: { code: 'WEBHOOK_STOPPED' } })
  expect(await replay(chat)).toMatchObject({ status: 409, body: { code: 'CHAT_LINK_MISSING' } })
  await app.jobsDone()
  expect([receiver.received.length, (await deliveries())[0]]).toEqual([count, ofWebhook])
  await stop(null)
  await setLink(receiver.url)
  for (const body of [chat, webhook]) expect((await replay(body)).body.code).toBe('WEBHOOK_REPLAY_OK')
  await app.jobsDone()
  expect(receiver.received).toHaveLength(count + 2)
})
