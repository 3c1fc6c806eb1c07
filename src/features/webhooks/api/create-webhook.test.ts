import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notFlags, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const create = (body: object, who = owner) => who.visitor.send('POST', '/api/1.0/website/create_webhook', { body })

test('a webhook is created with the defaults, and its secret is shown once', async () => {
  const { body } = await create({ url: ' https://hooks.example/a?b=1 ' })
  expect(body).toMatchObject({ code: 'WEBHOOK_CREATE_OK', message: 'Webhook created successfully' })
  expect(body['secret']).toMatch(/^whsec_/)
  const { webhooks } = (await owner.visitor.call('GET /webhooks', { query: {} })).body
  expect(webhooks).toMatchObject([
    {
      id: body['webhookId'],
      name: '',
      url: 'https://hooks.example/a?b=1',
      userAgent: 'Mozilla/5.0',
      authenticated: true,
    },
  ])
})

test('a webhook has the name that its owner gives it, can be found by it, and can be renamed', async () => {
  const { body } = await create({ url: 'https://hooks.example/named', name: ' Order bot ' })
  const found = async (search: string) =>
    (await owner.visitor.call('GET /webhooks', { query: { search } })).body.webhooks.map(({ name }) => name)
  expect(await found('order BOT')).toEqual(['Order bot'])
  const change = { webhookId: String(body['webhookId']), name: '', before: { name: 'Order bot' } }
  expect((await owner.visitor.call('POST /update_webhook', { body: change })).status).toBe(200)
  expect(await found('named')).toEqual([''])
})

test('names the missing or invalid field', async () => {
  const url = 'https://hooks.example/'
  const cases: [object, string, string][] = [
    [{ url: ' ' }, 'WEBHOOK_URL_REQUIRED', 'url'],
    [{ url: 'hooks' }, 'WEBHOOK_URL_INVALID', 'url'],
    [{ url: 'ftp://hooks.example/' }, 'WEBHOOK_URL_INVALID', 'url'],
    [{ url: `https://hooks.example/${'x'.repeat(2000)}` }, 'WEBHOOK_URL_TOO_LONG', 'url'],
    [{ url, name: 'x'.repeat(61) }, 'WEBHOOK_NAME_INVALID', 'name'],
    [{ url, name: 'a\u202Eb' }, 'WEBHOOK_NAME_INVALID', 'name'],
    [{ url, userAgent: ' ' }, 'USER_AGENT_REQUIRED', 'userAgent'],
    [{ url, userAgent: 'a\r\nx: y' }, 'USER_AGENT_INVALID', 'userAgent'],
    [{ url, userAgent: 'Olá' }, 'USER_AGENT_INVALID', 'userAgent'],
    [{ url, userAgent: 'x'.repeat(201) }, 'USER_AGENT_INVALID', 'userAgent'],
  ]
  for (const [body, code, field] of cases)
    expect(await create(body), code).toMatchObject({ status: 400, body: { code, field } })
})

test.each([
  'http://hooks.example/',
  'https://hooks.example:22/',
  'https://user:pass@hooks.example/',
  'https://hooks.example/#x',
  'https://127.1/',
  'https://localhost/',
  'https://LOCALHOST.:8443/',
  'https://a.localhost/hook',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data/',
])('%s is rejected when it is saved, not only when it is called (R-WHK-01)', async (url) => {
  expect(await create({ url })).toMatchObject({ status: 400, body: { code: 'WEBHOOK_URL_NOT_ALLOWED', field: 'url' } })
})

test('an app has at most 50, also when the last ones are created at once', async () => {
  const full = await newOwnerWithApp(app)
  const body = { url: 'https://hooks.example/' }
  for (let n = 0; n < 45; n++) await create(body, full)
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(body, full)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({
    status: 409,
    body: { code: 'WEBHOOK_LIMIT_REACHED', values: { limit: 50 } },
  })
})

test('an invalid webhook changes nothing', async () => {
  const valid = { url: 'https://hooks.example/' }
  const hostile = {
    url: [...notTexts, undefined, 'x'.repeat(4001)],
    name: [...notTexts, 'x'.repeat(301)],
    userAgent: [...notTexts, 'x'.repeat(1001)],
    authenticated: notFlags,
    events: [
      'x',
      {},
      null,
      [5],
      ['no.such'],
      ['__proto__'],
      ['user.banned', 'user.banned'],
      Array(51).fill('user.banned'),
    ],
    secret: ['whsec_own'],
    id: ['own'],
  }
  await expectAllRejected(app, owner.visitor, '/create_webhook', hostileBodies(valid, hostile))
})

test('the audit names only the host, because the path and query of an address are often secret', async () => {
  const secret = 'https://chat.example/services/T0/secret-path?token=secret-query'
  const { body } = await create({ url: secret })
  const change = { webhookId: body['webhookId'], url: `${secret}2`, userAgent: 'Bot' }
  expect((await owner.visitor.send('POST', '/api/1.0/website/update_webhook', { body: change })).status).toBe(200)
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('target', '=', String(change.webhookId))
    .execute()
  expect(rows.map(({ act }) => act).toSorted()).toEqual(['webhook.create', 'webhook.update'])
  for (const { details } of rows) expect(details).toContain('"host":"chat.example"')
  expect(JSON.stringify(rows)).not.toMatch(/secret-|services/)
})
