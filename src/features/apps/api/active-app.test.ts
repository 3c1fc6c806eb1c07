import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { goodPassword, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('an owner without apps gets null, which is no error', async () => {
  const { visitor } = await newOwner(app)
  const { status, body } = await visitor.call('GET /active_app')
  expect({ status, success: body.success, app: body.app }).toEqual({ status: 200, success: true, app: null })
})

test('returns the current state of the selected app', async () => {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /update_app', { body: { settings: { sessionExpiryDuration: 600 } } })
  const { body } = await owner.visitor.call('GET /active_app')
  expect(body.app).toMatchObject({ appId: owner.appId, settings: { sessionExpiryDuration: 600 } })
})

test('a new sign-in has the first app selected, whatever an earlier session selected, for every call', async () => {
  const owner = await newOwnerWithApp(app)
  app.advance(1)
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Second one' } })
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Gold' } })
  const again = app.visitor()
  await again.call('POST /login', { body: { username: owner.username, password: goodPassword } })
  const active = async () => (await again.call('GET /active_app')).body.app?.appId
  expect(await active()).toBe(owner.appId)
  expect((await again.call('GET /subscriptions')).body.subscriptions).toMatchObject([{ level: 1, name: 'Basic' }])
  await again.call('POST /update_app', { body: { version: '9' } })
  expect((await again.call('GET /active_app')).body.app).toMatchObject({ appId: owner.appId, version: '9' })
  await again.call('POST /select_app', { body: { appId: body.appId } })
  expect(await active()).toBe(body.appId)
  expect((await again.call('GET /subscriptions')).body.subscriptions).toMatchObject([
    { name: 'Basic' },
    { name: 'Gold' },
  ])
})

test('a deleted app is no longer selected, and no other app takes its place', async () => {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_app', { body: { appName: 'Another one' } })
  await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
  await owner.visitor.call('POST /delete_app', { body: { appId: owner.appId } })
  expect((await owner.visitor.call('POST /delete_all_licenses', { body: {} })).body.code).toBe('NO_APP_SELECTED')
  expect((await owner.visitor.call('GET /active_app')).body.app).toBeNull()
})

test('rejects callers without a session', async () =>
  expectRejected(await app.visitor().call('GET /active_app'), 'stranger', 401))
