import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, notTexts, seen } from '#testing/faults/hostile-input.ts'
import { goodPassword, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let second: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'First App')
  stranger = await newOwnerWithApp(app, 'Foreign App')
  second = (await owner.visitor.call('POST /create_app', { body: { appName: 'Second App' } })).body.appId
})
afterAll(() => app.close())

const active = async (visitor = owner.visitor) => (await visitor.call('GET /active_app')).body.app?.appName

test('selects by name, in any case, or by ID, and confirms it', async () => {
  const { body } = await owner.visitor.call('POST /select_app', { body: { appName: 'First App' } })
  expect(body).toMatchObject({
    code: 'APP_SELECT_OK',
    message: 'Switched to app: First App',
    values: { appName: 'First App' },
  })
  expect(body.app).toMatchObject({ appId: owner.appId, appName: 'First App' })
  expect(await active()).toBe('First App')
  await owner.visitor.call('POST /select_app', { body: { appId: second } })
  expect(await active()).toBe('Second App')
  await owner.visitor.call('POST /select_app', { body: { appName: 'first APP' } })
  expect(await active()).toBe('First App')
})

test('the selection belongs to one session', async () => {
  await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
  const elsewhere = app.visitor()
  await elsewhere.call('POST /login', { body: { username: owner.username, password: goodPassword } })
  await elsewhere.call('POST /select_app', { body: { appId: second } })
  expect([await active(), await active(elsewhere)]).toEqual(['First App', 'Second App'])
})

test('rejects hostile bodies and changes nothing', async () => {
  await expectAllRejected(app, owner.visitor, '/select_app', [
    ...[...notTexts, 'n'.repeat(51)].map((appName) => ({ appName })),
    ...[...notTexts, 'i'.repeat(41)].map((appId) => ({ appId })),
    { appName: 'First App', ownerId: stranger.id },
    [],
    'text',
    'null',
    '{"__proto__":{"appName":"First App"}}',
  ])
  expect(await active()).toBe('First App')
})

test.each([{}, { appName: '' }, { appId: '' }, { appName: "' or '1'='1" }, { appName: '%' }, { appName: '__proto__' }])(
  '%j names no app',
  async (body) => {
    const answer = await owner.visitor.send('POST', '/api/1.0/website/select_app', { body })
    expectRejected(answer, body, 404)
    expect(answer.body).toMatchObject({ code: 'APP_NOT_FOUND', message: 'App not found' })
  },
)

test("another owner's app looks like a missing one by name", async () => {
  const select = (appName: string) => stranger.visitor.call('POST /select_app', { body: { appName } })
  expect(seen(await select('First App'))).toBe(seen(await select('No such app')))
  expect(await active(stranger.visitor)).toBe('Foreign App')
})
