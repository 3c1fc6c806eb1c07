import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  receiver = await startReceiver(app)
  owner = await newOwnerWithApp(app)
  return () => receiver.close()
})
afterAll(() => app.close())

const add = async (url = receiver.url) =>
  (await owner.visitor.call('POST /create_webhook', { body: { url } })).body.webhookId
const run = (webhookIds?: string[]) =>
  owner.visitor.call('POST /test_webhooks', { body: webhookIds ? { webhookIds } : {} })

test('sends a real request, and shows the result', async () => {
  const webhookId = await add()
  const { body } = await run([webhookId])
  expect(body).toMatchObject({
    code: 'WEBHOOK_TEST_OK',
    message: 'Webhook tested successfully',
    delivered: 1,
    failed: 0,
  })
  expect(body.results).toMatchObject([{ webhookId, delivered: true, status: 204, failure: '', answer: '' }])
  expect(receiver.received.map((request) => JSON.parse(request.body) as unknown)).toMatchObject([
    { type: 'webhook.test', data: { appId: owner.appId, target: webhookId } },
  ])
  const { deliveries } = (await owner.visitor.call('GET /webhook_deliveries', { query: { webhookId } })).body
  expect(deliveries).toMatchObject([{ event: 'webhook.test', state: 'delivered', attempts: 1 }])
})

test('returns the body of the response, cut off at 2 KiB, and the headers that signed the request, but no secret', async () => {
  receiver.answer = (response) => void response.writeHead(500).end('x'.repeat(5000))
  const created = (await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url } })).body
  const { body } = await run([created.webhookId])
  const [result] = body.results
  const [{ headers, body: sent }] = receiver.received as [(typeof receiver.received)[number]]
  expect(result).toMatchObject({ status: 500, answer: 'x'.repeat(2048), body: sent })
  expect(Object.keys(result?.headers ?? {})).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  expect(headers).toMatchObject(result?.headers ?? {})
  expect(new Verifier(created.secret).verify(sent, result?.headers ?? {})).toMatchObject({ type: 'webhook.test' })
  expect(JSON.stringify(body)).not.toContain(created.secret)
})

test('says what failed, but not what a name resolves to (R-WHK-05)', async () => {
  receiver.answer = (response) => void response.writeHead(302, { location: 'https://example.com/' }).end()
  const redirecting = await add()
  const unknown = await add('https://no-such-name.example/')
  const { body } = await run()
  expect(body).toMatchObject({ code: 'WEBHOOKS_TEST_FAILED', delivered: 0, failed: 2 })
  expect(body.results.find(({ webhookId }) => webhookId === redirecting)).toMatchObject({
    status: 302,
    failure: 'redirect',
  })
  expect(body.results.find(({ webhookId }) => webhookId === unknown)).toMatchObject({
    status: null,
    failure: 'unreachable',
  })
  // A test is sent once and not retried.
  app.advance(86_400)
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
})

test('the audit log has how many webhooks were tested, and which', async () => {
  const webhookId = await add()
  await run([webhookId])
  await add()
  await run()
  const { entries } = (await owner.visitor.call('GET /audit', { query: { act: 'webhook.test', limit: 10 } })).body
  expect(entries.map(({ target }) => target)).toEqual(['2 webhooks', '1 webhook'])
  const params = { id: String(entries[1]?.id) }
  expect((await owner.visitor.call('GET /audit/{id}/targets', { params })).body.targets).toEqual([webhookId])
})

test("can't flood a receiver: 30 a minute are allowed", async () => {
  const webhookId = await add()
  const answers = []
  for (let n = 0; n < 31; n++) answers.push(await run([webhookId]))
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(30).fill(200), 429])
  expect(receiver.received).toHaveLength(30)
})

test("can't flood one either as the receiver of many webhooks: 100 requests a minute are allowed", async () => {
  for (let n = 0; n < 50; n++) await add()
  const answers = []
  for (let n = 0; n < 3; n++) answers.push(await run())
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(receiver.received).toHaveLength(100)
  app.advance(60)
  expect((await run()).body).toMatchObject({ delivered: 50, failed: 0 })
})

test('an unknown webhook ID calls none', async () => {
  const webhookId = await add()
  const webhookIds = ['x', {}, null, [5], [''], ['x'.repeat(41)], Array(51).fill(webhookId)]
  await expectAllRejected(
    app,
    owner.visitor,
    '/test_webhooks',
    hostileBodies({ webhookIds: [webhookId] }, { webhookIds }),
  )
  const body = { webhookIds: [webhookId, 'wh_AAAAAAAAAAAA'] }
  expect(await run(['wh_AAAAAAAAAAAA'])).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } })
  expect(await owner.visitor.call('POST /test_webhooks', { body })).toMatchObject({ status: 404 })
  expect(receiver.received).toEqual([])
})
