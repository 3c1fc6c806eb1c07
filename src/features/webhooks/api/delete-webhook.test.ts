import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver } from '#testing/servers/webhook-receiver.ts'
let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const url = 'https://hooks.example/'
const add = async (who = owner) => (await who.visitor.call('POST /create_webhook', { body: { url } })).body.webhookId
const list = async (who = owner) => (await who.visitor.call('GET /webhooks', { query: {} })).body.webhooks

test('is gone with what waits for it, and with what was delivered once it is deleted for good', async () => {
  const receiver = await startReceiver(app)
  receiver.answer = (response) => void response.writeHead(500).end()
  const body = { url: receiver.url, events: ['license.created' as const] }
  const { webhookId } = (await owner.visitor.call('POST /create_webhook', { body })).body
  const level = { amount: 1, subscription: 1, expiryUnit: 'days' as const, duration: 1 }
  await owner.visitor.call('POST /create_licenses', { body: level })
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  expect((await owner.visitor.call('POST /delete_webhook', { body: { webhookId } })).body).toMatchObject({
    code: 'WEBHOOK_DELETE_OK',
    message: 'Webhook deleted successfully',
  })
  expect(await list()).toEqual([])
  app.advance(10)
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  const log = owner.visitor.call('GET /webhook_deliveries', { query: { webhookId } })
  expect((await log).body).toMatchObject({ deliveries: [], total: 0 })
  const left = app.db.read.selectFrom('webhook_deliveries').select('state').where('webhook_id', '=', webhookId)
  expect(await left.execute()).toEqual([{ state: 'failed' }])
  const jobs = app.db.read
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'webhook')
    .where('lane', '=', `${owner.appId}/${webhookId}`)
  expect(await jobs.execute()).toEqual([])
  const [item] = (await owner.visitor.call('GET /bin', { query: { kind: 'webhook' } })).body.items
  await owner.visitor.call('POST /bin/delete', { body: { ids: [item?.id as number] } })
  await app.jobsDone()
  expect(await left.execute()).toEqual([])
  await receiver.close()
})

test('what makes no sense changes nothing', async () => {
  const valid = { webhookId: await add() }
  const hostile = { webhookId: [...notTexts, undefined, '', 'x'.repeat(41)] }
  await expectAllRejected(app, owner.visitor, '/delete_webhook', hostileBodies(valid, hostile))
})
