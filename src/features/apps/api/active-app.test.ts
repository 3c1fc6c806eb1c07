import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefused } from '#testing/hostile-input.ts'
import { goodPassword, newOwner, newOwnerWithApp } from '#testing/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('without a selection there is none, and that is no failure', async () => {
  const { visitor } = await newOwner(app)
  const { status, body } = await visitor.call('GET /active_app')
  expect({ status, success: body.success, app: body.app }).toEqual({ status: 200, success: true, app: null })
})

test('gives the selected app as it is now', async () => {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /update_app', { body: { settings: { sessionExpiryDuration: 600 } } })
  const { body } = await owner.visitor.call('GET /active_app')
  expect(body.app).toMatchObject({ appId: owner.appId, settings: { sessionExpiryDuration: 600 } })
})

test('a fresh sign-in has nothing selected, whatever an earlier one had', async () => {
  const owner = await newOwnerWithApp(app)
  const again = app.visitor()
  await again.call('POST /login', { body: { username: owner.username, password: goodPassword } })
  expect((await again.call('GET /active_app')).body.app).toBeNull()
})

test('a deleted app is not selected any more', async () => {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /delete_app', { body: { appId: owner.appId } })
  expect((await owner.visitor.call('GET /active_app')).body.app).toBeNull()
})

test('strangers are refused', async () => expectRefused(await app.visitor().call('GET /active_app'), 'stranger', 401))
