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

const url = 'https://hooks.example/'
const add = async (who = owner) => (await who.visitor.call('POST /create_webhook', { body: { url } })).body.webhookId
const list = async (who = owner) => (await who.visitor.call('GET /webhooks', { query: {} })).body.webhooks

test('changes only the given fields', async () => {
  const webhookId = await add()
  const change = (body: object) => owner.visitor.call('POST /update_webhook', { body: { webhookId, ...body } })
  const { body } = await change({
    url: 'https://other.example/',
    authenticated: false,
    events: ['user.banned', 'license.created'],
  })
  expect(body).toMatchObject({ code: 'WEBHOOK_UPDATE_OK', message: 'Webhook updated successfully' })
  const [changed] = await list()
  // Events have a fixed order, independent of the order in the request.
  const events = ['license.created', 'user.banned']
  expect(changed).toMatchObject({
    url: 'https://other.example/',
    userAgent: 'Mozilla/5.0',
    authenticated: false,
    events,
  })
  await change({ userAgent: 'Bot 2' })
  expect((await list())[0]).toEqual({ ...changed, userAgent: 'Bot 2' })
  expect((await change({ url: 'https://10.0.0.1/' })).body.code).toBe('WEBHOOK_URL_NOT_ALLOWED')
})

test('returns a value changed in the meantime instead of overwriting it', async () => {
  const webhookId = await add()
  const body = { webhookId, userAgent: 'mine', before: { userAgent: 'seen' } }
  expect(await owner.visitor.call('POST /update_webhook', { body })).toMatchObject({
    status: 409,
    body: { code: 'FIELD_CHANGED', current: { userAgent: 'Mozilla/5.0' } },
  })
})

test('rejects invalid values and changes nothing', async () => {
  const valid = { webhookId: await add(), userAgent: 'Bot' }
  const hostile = {
    webhookId: [...notTexts, undefined, '', 'x'.repeat(41)],
    url: notTexts,
    userAgent: notTexts,
    authenticated: notFlags,
    start: notFlags,
    events: [{}, ['x']],
    before: [5, { secret: 'x' }],
  }
  await expectAllRejected(app, owner.visitor, '/update_webhook', hostileBodies(valid, hostile))
})
