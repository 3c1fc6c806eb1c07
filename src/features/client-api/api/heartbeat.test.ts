import { beforeEach, describe, expect, test } from 'vitest'
import { sessionHash } from '#server/secrets/session-token.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'
import { hasTwoProcesses } from '#testing/start-test-app.ts'

const given = setUpProgram()
beforeEach(async () => {
  await given.program.license(given.key)
  if (!(await given.program.heartbeat()).body.success) throw new Error('The program could not sign in')
})

const hour = 3600
const code = async () => (await given.program.heartbeat()).body.code ?? 'OK'
const row = async () =>
  given.app.db.read
    .selectFrom('client_sessions')
    .selectAll()
    .where('token_hash', '=', sessionHash(given.program.session ?? ''))
    .executeTakeFirstOrThrow()

describe('a heartbeat', () => {
  test('returns the user and when the session expires', async () => {
    const { status, body } = await given.program.heartbeat()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      user: { username: given.key, subscriptions: [{ level: 1, name: 'Basic' }] },
    })
    expect(body['expiresAt']).toBeGreaterThanOrEqual(given.app.now() + hour - 60)
  })

  test('a session expires after the set time without a heartbeat, and each heartbeat extends it', async () => {
    for (let n = 0; n < 3; n++) {
      given.app.advance(hour - 60)
      expect(await code()).toBe('OK')
    }
    given.app.advance(hour + 1)
    expect(await given.program.heartbeat()).toMatchObject({
      status: 401,
      body: { code: 'SESSION_EXPIRED', message: 'The session has expired' },
    })
    expect(await code()).toBe('SESSION_EXPIRED')
  })

  test('a changed session length applies from the next heartbeat', async () => {
    await given.asOwner('update_app', { settings: { sessionExpiryDuration: 300 } })
    const { body } = await given.program.heartbeat()
    expect(body['expiresAt']).toBeLessThanOrEqual(given.app.now() + 300)
    await given.asOwner('update_app', { settings: { sessionExpiryDuration: hour } })
    given.app.advance(301)
    expect(await code()).toBe('SESSION_EXPIRED')
  })

  test('is rejected before sign-in', async () => {
    await given.program.init()
    expect((await given.program.heartbeat()).body).toMatchObject({ code: 'NOT_SIGNED_IN', message: 'Sign in first' })
  })
})

describe('changes by the owner take effect on the next heartbeat (R-CLI-06)', () => {
  test.each<[string, string, () => Promise<unknown>, (() => Promise<unknown>) | undefined]>([
    [
      'the license is banned',
      'LICENSE_BANNED',
      () => given.asOwner('toggle_ban_license', { licenseKey: given.key }),
      undefined,
    ],
    [
      'the license is deleted with its user',
      'SESSION_ENDED',
      () => given.asOwner('delete_license', { licenseKey: given.key, deleteUser: true }),
      undefined,
    ],
    ['the user is banned', 'USER_BANNED', () => given.asOwner('toggle_ban_user', { username: given.key }), undefined],
    ['the user is deleted', 'SESSION_ENDED', () => given.asOwner('delete_user', { username: given.key }), undefined],
    [
      'the level is paused',
      'SUBSCRIPTION_PAUSED',
      () => given.asOwner('update_subscription', { level: 1, name: 'Basic', active: false }),
      () => given.asOwner('update_subscription', { level: 1, name: 'Basic', active: true }),
    ],
    [
      'the app is disabled',
      'APP_DISABLED',
      () => given.asOwner('update_app', { settings: { appStatus: false } }),
      () => given.asOwner('update_app', { settings: { appStatus: true } }),
    ],
    [
      'the owner is banned',
      'OWNER_BANNED',
      () => setAccountBanned(given.app, given.owner.id, true),
      () => setAccountBanned(given.app, given.owner.id, false),
    ],
  ])('%s: %s', async (_what, expected, deed, undo) => {
    await deed()
    expect(await code()).toBe(expected)
    expect(await code()).toBe(expected)
    await undo?.()
    if (undo) expect(await code()).toBe('OK')
  })

  test('the user is paused', async () => {
    await given.asOwner('toggle_pause_user', { username: given.key })
    expect(await code()).toBe('USER_PAUSED')
  })

  test('the subscription expires while the program runs', async () => {
    await given.asOwner('update_license', { licenseKey: given.key, expiry: hour })
    expect(await code()).toBe('OK')
    given.app.advance(hour / 2)
    expect(await code()).toBe('OK')
    given.app.advance(hour / 2 + 1)
    expect(await given.program.heartbeat()).toMatchObject({ status: 403, body: { code: 'SUBSCRIPTION_EXPIRED' } })
  })

  test("a ban in one app doesn't affect programs of another app", async () => {
    const other = await newOwnerWithApp(given.app)
    const [otherKey = ''] = await newLicenses(other, 1)
    const elsewhere = await Program.of(given.app, other)
    await elsewhere.init()
    await elsewhere.license(otherKey)
    await given.asOwner('toggle_ban_license', { licenseKey: given.key })
    expect((await elsewhere.heartbeat()).body.success).toBe(true)
  })
})

describe('sessions', () => {
  test('of another app, invented or missing are rejected (R-CLI-05)', async () => {
    const other = await newOwnerWithApp(given.app)
    const elsewhere = await Program.of(given.app, other)
    elsewhere.session = given.program.session
    expect(await elsewhere.heartbeat()).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
    elsewhere.session = 'A'.repeat(43)
    expect(await elsewhere.heartbeat()).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
    elsewhere.session = undefined
    expect(await elsewhere.heartbeat()).toMatchObject({
      status: 401,
      body: { code: 'SESSION_REQUIRED', message: 'Start with init' },
    })
  })

  test('of another app are rejected right after a restart too (R-CLI-05)', async () => {
    const other = await newOwnerWithApp(given.app)
    const elsewhere = await Program.of(given.app, other)
    // Nothing has changed in this process yet, so its cached sessions are only told apart by their app.
    await given.app.stop()
    await given.app.start()
    expect((await given.program.heartbeat()).status).toBe(200)
    elsewhere.session = given.program.session
    expect(await elsewhere.heartbeat()).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
    expect((await given.program.heartbeat()).status).toBe(200)
  })

  test.skipIf(hasTwoProcesses)("sent to another app don't make their own app forget used nonces", async () => {
    const nonce = 'n'.repeat(22)
    expect((await given.program.send('heartbeat', {}, { nonce })).status).toBe(200)
    const elsewhere = await Program.of(given.app, await newOwnerWithApp(given.app))
    elsewhere.session = given.program.session
    await elsewhere.heartbeat()
    expect((await given.program.send('heartbeat', {}, { nonce })).body.code).toBe('NONCE_REUSED')
  })
})

test('a program that starts on one server and signs in on another is signed in on both', async () => {
  const [fresh = ''] = await newLicenses(given.owner, 1)
  const here = await Program.of(given.app, given.owner)
  await here.init()
  expect((await here.heartbeat()).body.code).toBe('NOT_SIGNED_IN')
  const second = await startSecondServer(given.app)
  const there = await Program.of(second, given.owner)
  there.session = here.session
  expect((await there.license(fresh)).body.success).toBe(true)
  expect((await here.heartbeat()).body).toMatchObject({ success: true, user: { username: fresh } })
  await second.close()
})

describe('stored heartbeats', () => {
  test('heartbeats are stored when the server stops and survive a restart', async () => {
    const second = await startSecondServer(given.app)
    const beside = await Program.of(second, given.owner)
    beside.session = given.program.session
    const before = await row()
    given.app.advance(hour - 60)
    expect((await beside.heartbeat()).body.success).toBe(true)
    await second.close()
    const { last_heartbeat_at, expires_at } = await row()
    expect(last_heartbeat_at).toBeGreaterThanOrEqual(before.last_heartbeat_at + hour - 120)
    expect(expires_at).toBe(last_heartbeat_at + hour)
    // The other server uses the stored heartbeat once its own cached data has expired.
    given.app.advance(hour - 60)
    expect(await code()).toBe('OK')
  })

  test('a session that ended in the meantime stays ended', async () => {
    const second = await startSecondServer(given.app)
    const beside = await Program.of(second, given.owner)
    beside.session = given.program.session
    given.app.advance(120)
    expect((await beside.heartbeat()).body.success).toBe(true)
    await given.asOwner('toggle_ban_license', { licenseKey: given.key })
    await second.close()
    expect((await row()).ended_code).toBe('LICENSE_BANNED')
    expect(await code()).toBe('LICENSE_BANNED')
  })
})

test('the body is ignored as long as it is an object', async () => {
  expect(
    (await given.program.send('heartbeat', { user: { username: 'admin' }, expiresAt: 9e9, __proto__: null })).status,
  ).toBe(200)
  for (const body of [[], null, 5, 'text']) expect((await given.program.send('heartbeat', body)).status).toBe(400)
})

test('a program that floods gets a 429 with the time to wait, while others run (R-RATE-02)', async () => {
  const other = await Program.of(given.app, given.owner)
  await other.init()
  const [otherKey = ''] = await newLicenses(given.owner, 1)
  await other.license(otherKey)
  const { limits } = given.app.services.config
  const { heartbeatsPerMinute } = limits
  limits.heartbeatsPerMinute = 20
  given.app.advance(60)
  const answers = []
  for (let n = 0; n < 21; n++) answers.push(await given.program.heartbeat())
  expect(answers.slice(0, 20).every(({ status }) => status === 200)).toBe(true)
  expect(answers[20]).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) },
  })
  expect((await other.heartbeat()).status).toBe(200)
  limits.heartbeatsPerMinute = heartbeatsPerMinute
})
