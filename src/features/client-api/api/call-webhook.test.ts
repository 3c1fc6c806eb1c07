import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'

let app: TestApp
let owner: OwnedApp
let receiver: WebhookReceiver
let program: Program

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  receiver = await startReceiver(app)
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  program = await Program.of(app, owner)
  await program.init()
  return () => receiver.close()
})
afterAll(() => app.close())

const add = async (authenticated: boolean, who = owner) => {
  const body = { url: `${receiver.url}?token=secret-of-the-owner`, authenticated, userAgent: 'Shop/2' }
  return (await who.visitor.call('POST /create_webhook', { body })).body
}
const call = (id: string, params?: object) => program.send('call-webhook', { id, ...(params && { params }) })

test("the server sends the parameters as a signed body and returns the webhook's reply", async () => {
  const { webhookId, secret } = await add(false)
  receiver.answer = (response) => void response.writeHead(201).end('{"orders":[1,"Olá 🦊"]}')
  const params = { text: 'Olá 🦊', n: [1, null, { deep: true }] }
  const { status, body } = await call(webhookId, params)
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 201, body: '{"orders":[1,"Olá 🦊"]}' } })
  const [request] = receiver.received as [WebhookReceiver['received'][number]]
  expect(JSON.parse(request.body)).toEqual(params)
  expect(new Verifier(secret).verify(request.body, request.headers as Record<string, string>)).toEqual(params)
  expect(request).toMatchObject({ method: 'POST', path: '/hook?token=secret-of-the-owner' })
  expect(request.headers['user-agent']).toBe('Shop/2')
})

test('the program never receives the URL or the secret', async () => {
  const { webhookId } = await add(false)
  const answers = [await call(webhookId)]
  receiver.answer = (response) => void response.socket?.destroy()
  answers.push(await call(webhookId))
  receiver.answer = (response) => void response.writeHead(307, { location: '/elsewhere' }).end()
  answers.push(await call(webhookId))
  expect(answers.map(({ body }) => body.code)).toEqual([undefined, 'WEBHOOK_UNREACHABLE', 'WEBHOOK_UNREACHABLE'])
  expect(JSON.stringify(answers)).not.toMatch(/token|secret|127\.0\.0\.1|elsewhere|whsec/)
})

test('an authenticated webhook is called only for a user with access', async () => {
  const { webhookId } = await add(true)
  expect(await call(webhookId)).toMatchObject({ status: 403, body: { code: 'NOT_SIGNED_IN' } })
  const [key = ''] = await newLicenses(owner, 1)
  await program.license(key)
  expect((await call(webhookId)).body.success).toBe(true)
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  expect((await call(webhookId)).body.success).toBe(false)
  expect(receiver.received).toHaveLength(1)
})

test("a plan without webhooks can't call any", async () => {
  const { webhookId } = await add(false)
  await setPlan(app, owner.id, 'Free')
  expect(await call(webhookId)).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } })
  await setPlan(app, owner.id, 'Developer')
  expect((await call(webhookId)).body.success).toBe(true)
  expect(receiver.received).toHaveLength(1)
})

test("the program's parameters never become part of the URL or the headers", async () => {
  const { webhookId } = await add(false)
  const hostile = {
    url: 'https://example.com/',
    path: '/admin',
    '?x': '1',
    'user-agent': 'a\r\nx: y',
    headers: { a: 'b' },
  }
  await call(webhookId, hostile)
  expect(receiver.received).toMatchObject([{ path: '/hook?token=secret-of-the-owner' }])
  expect(receiver.received[0]?.headers['user-agent']).toBe('Shop/2')
})

test("another app's webhook looks like a missing one, and sessions without sign-in can't find any", async () => {
  const { webhookId } = await add(false, await newOwnerWithApp(app))
  for (const id of [webhookId, 'wh_AAAAAAAAAAAA', "' or 1=1 --", '%'])
    expect((await call(id)).body.code).toBe('NOT_SIGNED_IN')
  const [key = ''] = await newLicenses(owner, 1)
  await program.license(key)
  for (const id of [webhookId, 'wh_AAAAAAAAAAAA']) expect((await call(id)).body.code).toBe('WEBHOOK_NOT_FOUND')
  expect(receiver.received).toEqual([])
})

test('a session can make 30 calls a minute', async () => {
  const { webhookId } = await add(false)
  const answers = []
  for (let n = 0; n < 31; n++) answers.push((await call(webhookId)).status)
  expect(answers).toEqual([...Array<number>(30).fill(200), 429])
  expect(receiver.received).toHaveLength(30)
  app.advance(60)
  expect((await call(webhookId)).status).toBe(200)
})

test('rejects malformed bodies', async () => {
  const { webhookId: id } = await add(false)
  const bodies = [
    {},
    [],
    null,
    { id: 5 },
    { id: '' },
    { id: 'x'.repeat(41) },
    { id, params: 'x' },
    { id, params: [] },
    { id, params: null },
  ]
  for (const body of bodies) expect((await program.send('call-webhook', body)).status, JSON.stringify(body)).toBe(400)
  // More than the limit of 20 KiB.
  expect((await call(id, { text: 'x'.repeat(20_480) })).body.code).toBe('WEBHOOK_UNREACHABLE')
  expect(receiver.received).toEqual([])
})
