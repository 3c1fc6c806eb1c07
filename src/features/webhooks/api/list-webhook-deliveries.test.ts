import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, notQueryIntegers } from '#testing/faults/hostile-input.ts'
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
  for (let n = 0; n < 12; n++) await newLicenses(owner, 1)
  await app.jobsDone()
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})

const list = async (query: object) =>
  (await owner.visitor.call('GET /webhook_deliveries', { query: { webhookId, ...query } })).body

test('deliveries are listed newest first, page by page', async () => {
  const first = await list({})
  expect(first).toMatchObject({ total: 12, totalPages: 2 })
  const ids = [...first.deliveries, ...(await list({ page: 2 })).deliveries].map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(new Set(ids).size).toBe(12)
  expect(first.deliveries[0]).toMatchObject({ state: 'delivered', status: 204, attempts: 1, attemptedAt: app.now() })
  expect(JSON.parse(first.deliveries[0]?.body ?? '')).toMatchObject({ type: 'license.created' })
})

test('a webhook that never was, and the chat link, have none', async () => {
  expect((await list({ webhookId: 'wh_AAAAAAAAAAAA' })).total).toBe(0)
  expect((await owner.visitor.call('GET /webhook_deliveries', { query: {} })).body.total).toBe(0)
})

test('queries that make no sense are rejected', async () => {
  const queries = [...notQueryIntegers.flatMap((page) => [{ page }, { limit: page }]), { limit: 101 }, { search: 'x' }]
  for (const query of queries)
    expectRejected(await owner.visitor.send('GET', '/api/1.0/website/webhook_deliveries', { query }), query)
})
