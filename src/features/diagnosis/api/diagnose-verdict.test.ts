import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The verdict is compared with what a program is told. */

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const visitor = () => owner.visitor
const diagnose = async (search: string) => (await visitor().call('GET /diagnosis', { query: { search } })).body
const newKey = async (more: Record<string, unknown> = {}) => (await newLicenses(owner, 1, more))[0] ?? ''

async function program(hwid = 'a-machine-of-the-test') {
  const one = await Program.of(app, owner)
  one.hwid = hwid
  const started = await one.init()
  return { start: started.body, one }
}
async function outcome(key: string, hwid?: string) {
  const { start, one } = await program(hwid)
  return start.success ? ((await one.license(key)).body.code ?? 'OK') : (start.code ?? '')
}
async function agrees(search: string, code: string, more: object = {}) {
  const { verdict } = await diagnose(search)
  expect(verdict).toMatchObject({
    state: code === 'OK' ? 'allowed' : 'rejected',
    code: code === 'OK' ? '' : code,
    ...more,
  })
}

const changes: [
  name: string,
  code: string,
  change: (key: string) => Promise<unknown>,
  back: (key: string) => Promise<unknown>,
][] = [
  [
    'a banned license',
    'LICENSE_BANNED',
    (licenseKey) => visitor().call('POST /toggle_ban_license', { body: { licenseKey, banned: true } }),
    (licenseKey) => visitor().call('POST /toggle_ban_license', { body: { licenseKey, banned: false } }),
  ],
  [
    'a banned user',
    'USER_BANNED',
    (username) => visitor().call('POST /toggle_ban_user', { body: { username, banned: true } }),
    (username) => visitor().call('POST /toggle_ban_user', { body: { username, banned: false } }),
  ],
  [
    'a paused user',
    'USER_PAUSED',
    (username) => visitor().call('POST /toggle_pause_user', { body: { username, paused: true } }),
    (username) => visitor().call('POST /toggle_pause_user', { body: { username, paused: false } }),
  ],
  [
    'a paused level',
    'SUBSCRIPTION_PAUSED',
    () => visitor().call('POST /toggle_subscription_status', { body: { level: 1, active: false } }),
    () => visitor().call('POST /toggle_subscription_status', { body: { level: 1, active: true } }),
  ],
  [
    'a removed level',
    'SUBSCRIPTION_EXPIRED',
    (username) => visitor().call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id: 1 } }),
    (username) =>
      visitor().call('POST /user/{username}/subscriptions', { params: { username }, body: { level: 1, duration: 3 } }),
  ],
  [
    'a disabled app',
    'APP_DISABLED',
    () => visitor().call('POST /update_app', { body: { settings: { appStatus: false } } }),
    () => visitor().call('POST /update_app', { body: { settings: { appStatus: true } } }),
  ],
]

test.each(changes)(
  '%s keeps the customer out from then on, before any program tried, until it is changed back',
  async (_name, code, change, back) => {
    owner = await newOwnerWithApp(app)
    const key = await newKey()
    expect(await outcome(key)).toBe('OK')
    await agrees(key, 'OK')
    app.advance(60)
    const since = app.now()
    await change(key)
    await agrees(key, code, { since, eventId: '' })
    app.advance(60)
    expect(await outcome(key)).toBe(code)
    const { verdict, events } = await diagnose(key)
    // A program of a disabled app has named nobody yet.
    if (code !== 'APP_DISABLED') expect(events.find(({ id }) => id === verdict?.eventId)?.code).toBe(code)
    await agrees(key, code, { since })
    await back(key)
    await agrees(key, 'OK')
    expect(await outcome(key)).toBe('OK')
  },
)

test('a banned license keeps its user out only if no other one gave time', async () => {
  owner = await newOwnerWithApp(app)
  const [first, second] = [await newKey(), await newKey()]
  const { one } = await program()
  await one.register('clara', userPassword, first)
  const { one: other } = await program()
  const { hwid } = other
  const renewed = { username: 'clara', password: userPassword, hwid, licenseKey: second }
  expect((await other.send('login', renewed)).body).toMatchObject({ success: true })
  const signIn = async () => (await (await program()).one.login('clara', userPassword)).body.code ?? 'OK'
  const ban = (licenseKey: string) => visitor().call('POST /toggle_ban_license', { body: { licenseKey } })
  await ban(second)
  expect(await signIn()).toBe('OK')
  for (const search of [second, first, 'clara']) await agrees(search, 'OK')
  await ban(first)
  expect(await signIn()).toBe('LICENSE_BANNED')
  for (const search of [second, first, 'clara']) await agrees(search, 'LICENSE_BANNED')
})

test('several reasons are named one after the other, in the order in which sign-ins check them', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  expect(await outcome(key)).toBe('OK')
  for (const [, , change] of changes) await change(key)
  for (const code of ['APP_DISABLED', 'LICENSE_BANNED', 'USER_BANNED', 'USER_PAUSED', 'SUBSCRIPTION_EXPIRED']) {
    expect(await outcome(key)).toBe(code)
    await agrees(key, code)
    await changes.find((change) => change[1] === code)?.[3](key)
  }
  expect(await outcome(key)).toBe('SUBSCRIPTION_PAUSED')
  await agrees(key, 'SUBSCRIPTION_PAUSED', {
    decision: expect.objectContaining({ levels: ['Basic'], levelNumbers: [1] }),
  })
})

test('expired time counts from its end', async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  const key = await newKey({ duration: 1 })
  expect(await outcome(key)).toBe('OK')
  const end = app.now() + 86_400
  app.advance(90_000)
  await agrees(key, 'SUBSCRIPTION_EXPIRED', { since: end })
})

test('an unused license is free to start, unless its level is paused', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  await agrees(key, 'OK')
  await visitor().call('POST /toggle_subscription_status', { body: { level: 1, active: false } })
  await agrees(key, 'SUBSCRIPTION_PAUSED', { decision: expect.objectContaining({ levelNumbers: [1] }) })
  expect(await outcome(key)).toBe('SUBSCRIPTION_PAUSED')
})

test('another machine keeps out until the HWID is reset, or the bound one has signed in since', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  expect(await outcome(key)).toBe('OK')
  app.advance(1)
  expect(await outcome(key, 'another-machine-of-the-test')).toBe('HWID_MISMATCH')
  await agrees(key, 'HWID_MISMATCH', { since: app.now() })
  await agrees('another-machine-of-the-test', 'HWID_MISMATCH')
  app.advance(1)
  expect(await outcome(key)).toBe('OK')
  await agrees(key, 'OK')
  app.advance(1)
  expect(await outcome(key, 'another-machine-of-the-test')).toBe('HWID_MISMATCH')
  await visitor().call('POST /reset_user_hwid', { body: { username: key } })
  await agrees(key, 'OK')
  await agrees('another-machine-of-the-test', 'OK')
  expect(await outcome(key, 'another-machine-of-the-test')).toBe('OK')
})

test('a wrong password leaves it open until a sign-in succeeds', async () => {
  owner = await newOwnerWithApp(app)
  const username = await newSubscriber(owner, { username: 'marta' })
  const { one } = await program()
  await one.login(username, 'not her password')
  expect((await diagnose(username)).verdict).toMatchObject({ state: 'uncertain', code: 'INVALID_CREDENTIALS' })
  app.advance(1)
  expect((await one.login(username, userPassword)).body.success).toBe(true)
  await agrees(username, 'OK')
})

test('an unknown or deleted key has no customer, and one whose user was deleted is used', async () => {
  owner = await newOwnerWithApp(app)
  const [unknown, deleted, key] = ['NO-SUCH-KEY', await newKey(), await newKey()]
  expect((await diagnose(unknown)).verdict).toBeNull()
  expect(await outcome(unknown)).toBe('LICENSE_NOT_FOUND')
  await agrees(unknown, 'LICENSE_NOT_FOUND')
  await visitor().call('POST /delete_license', { body: { licenseKey: deleted } })
  expect((await diagnose(deleted)).verdict).toBeNull()
  expect(await outcome(key)).toBe('OK')
  await visitor().call('POST /delete_user', { body: { username: key } })
  expect(await outcome(key)).toBe('LICENSE_ALREADY_USED')
  await agrees(key, 'LICENSE_ALREADY_USED')
})

test('a rejection of one request of a running program keeps nobody out', async () => {
  owner = await newOwnerWithApp(app)
  const key = await newKey()
  const { one } = await program()
  await one.license(key)
  app.advance(1)
  expect((await one.send('variable', { name: 'missing' })).body.code).toBe('VARIABLE_NOT_FOUND')
  await agrees(key, 'OK')
})

test("another user's attempt with the license of a user keeps only that other user out", async () => {
  owner = await newOwnerWithApp(app)
  const [key, ann, bob] = [await newKey(), await newSubscriber(owner), await newSubscriber(owner)]
  const attempt = async (username: string) => {
    const { one } = await program()
    const fields = { username, password: userPassword, hwid: one.hwid, licenseKey: key }
    return (await one.send('login', fields)).body.code ?? 'OK'
  }
  expect(await attempt(ann)).toBe('OK')
  app.advance(1)
  expect(await attempt(bob)).toBe('LICENSE_ALREADY_USED')
  await agrees(bob, 'LICENSE_ALREADY_USED')
  for (const search of [ann, key]) await agrees(search, 'OK')
})
