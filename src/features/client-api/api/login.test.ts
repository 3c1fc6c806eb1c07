import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Second', active: true } })
})
beforeEach(async () => {
  // Failed attempts of one test do not count in the next.
  app.advance(3600)
  program = await started()
})
afterAll(() => app.close())

const password = 'Password-of-user'
let made = 0
async function started(): Promise<Program> {
  const each = await Program.of(app, owner)
  await each.init()
  return each
}
async function newUser(): Promise<string> {
  const [key = ''] = await newLicenses(owner, 1)
  const username = `User ${++made}`
  expect((await (await started()).register(username, password, key)).body.success).toBe(true)
  return username
}
const send = (call: string, body: object) => owner.visitor.send('POST', `/api/1.0/website/${call}`, { body })
const asOwner = (call: string, username: string) => send(call, { username })

describe('signing in', () => {
  test("returns the user and how long the session lasts, whatever the name's case", async () => {
    const username = await newUser()
    const { status, body } = await program.login(username.toUpperCase(), password)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, expiresAt: expect.closeTo(app.now() + 3600, -2) })
    expect(body['user']).toMatchObject({
      username,
      subscriptions: [{ level: 1, name: 'Basic' }],
      lastLoginAt: expect.closeTo(app.now(), -2),
    })
  })

  test.each([
    ['is banned', (licenseKey: string) => send('toggle_ban_license', { licenseKey })],
    [
      'has run out',
      async (licenseKey: string) => {
        await send('update_license', { licenseKey, expiry: 60 })
        app.advance(61)
      },
    ],
  ])('starts a session of a license that lets the user run, not of another one that %s', async (_, happen) => {
    const [first = ''] = await newLicenses(owner, 1)
    const [second = ''] = await newLicenses(owner, 1, { subscription: 2 })
    const username = `User ${++made}`
    await program.register(username, password, first)
    await program.send('upgrade', { licenseKey: second })
    await happen(first)
    const again = await started()
    expect((await again.login(username, password)).body.success).toBe(true)
    expect((await again.heartbeat()).body.success).toBe(true)
    await send('delete_license', { licenseKey: first })
    expect((await again.heartbeat()).body.success).toBe(true)
    await send('toggle_ban_license', { licenseKey: second })
    expect((await again.heartbeat()).body.code).toBe('LICENSE_BANNED')
  })

  test('with one session per credential, a sign-in ends the previous session (SESSION_REPLACED)', async () => {
    const username = await newUser()
    await program.login(username, password)
    const second = await started()
    await second.login(username, password)
    expect(await program.heartbeat()).toMatchObject({
      status: 401,
      body: { code: 'SESSION_REPLACED', message: 'This account signed in somewhere else' },
    })
    expect((await second.heartbeat()).body.success).toBe(true)
  })

  test('without that limit, both sessions continue', async () => {
    const username = await newUser()
    await owner.visitor.call('POST /update_app', { body: { settings: { oneSessionPerCredential: false } } })
    const programs = [await started(), await started()]
    for (const each of programs) await each.login(username, password)
    for (const each of programs) expect((await each.heartbeat()).body.success).toBe(true)
    await owner.visitor.call('POST /update_app', { body: { settings: { oneSessionPerCredential: true } } })
  })

  test('10 concurrent sign-ins leave at most one session (R-CLI-05)', async () => {
    const username = await newUser()
    const programs = await Promise.all(Array.from({ length: 10 }, () => started()))
    const answers = await Promise.all(programs.map((each) => each.login(username, password)))
    // Attempts count before the password is verified, so some of many concurrent ones must wait.
    expect(answers.filter(({ body }) => body.success).length).toBeGreaterThanOrEqual(1)
    const beats = await Promise.all(programs.map((each) => each.heartbeat()))
    expect(beats.filter(({ body }) => body.success).length).toBeLessThanOrEqual(1)
  })
})

describe('rejections', () => {
  test('a wrong password, an unknown name and a user without a password look the same', async () => {
    const username = await newUser()
    const [key = ''] = await newLicenses(owner, 1)
    await (await started()).license(key)
    const answers = [
      await program.login(username, 'Wrong-password'),
      await program.login('nobody at all', password),
      await program.login(key, password),
    ]
    for (const { status, body } of answers) {
      expect({ status, ...body, requestId: '' }).toEqual({
        status: 403,
        success: false,
        code: 'INVALID_CREDENTIALS',
        message: 'Invalid username or password',
        requestId: '',
      })
    }
  })

  test.each([
    ['toggle_ban_user', 'USER_BANNED', 'You are banned from this app'],
    ['toggle_pause_user', 'USER_PAUSED', 'Your account is paused'],
  ])('%s: only the right password reveals %s', async (call, code, message) => {
    const username = await newUser()
    await asOwner(call, username)
    expect((await program.login(username, password)).body).toMatchObject({ code, message })
    expect((await program.login(username, 'Wrong-password')).body.code).toBe('INVALID_CREDENTIALS')
  })

  test('another machine is rejected even with the right password', async () => {
    const username = await newUser()
    program.hwid = 'another-machine'
    expect((await program.login(username, password)).body.code).toBe('HWID_MISMATCH')
  })

  test('after 5 wrong passwords even the right one has to wait, and so do unknown names (R-AUTH-01)', async () => {
    const username = await newUser()
    for (const name of [username, 'nobody at all']) {
      for (let n = 0; n < 5; n++)
        expect((await program.login(name, `Wrong-password-${n}`)).body.code).toBe('INVALID_CREDENTIALS')
      const locked = await program.login(name, password)
      expect(locked).toMatchObject({
        status: 429,
        body: { code: 'LOGIN_COOLDOWN', message: 'Too many failed attempts. Try again in 15 minutes.' },
      })
    }
    app.advance(901)
    expect((await (await started()).login(username, password)).body.success).toBe(true)
  })

  test('a right password that is rejected for another reason counts as no failure', async () => {
    const username = await newUser()
    await asOwner('toggle_pause_user', username)
    for (let n = 0; n < 4; n++)
      expect((await program.login(username, `Wrong-password-${n}`)).body.code).toBe('INVALID_CREDENTIALS')
    for (let n = 0; n < 6; n++) expect((await program.login(username, password)).body.code).toBe('USER_PAUSED')
    for (let n = 0; n < 5; n++) await program.login(username, `Wrong-password-${n}`)
    expect((await program.login(username, password)).body.code).toBe('LOGIN_COOLDOWN')
  })

  test('a right password counts as no failure when the server fails, also with a license key', async () => {
    const username = await newUser()
    const [licenseKey] = await newLicenses(owner, 1)
    const fields = { username, password, hwid: program.hwid }
    await withoutTable(app.db, 'client_sessions', async () => {
      for (const body of [fields, { ...fields, licenseKey }])
        for (let n = 0; n < 5; n++) expect((await program.send('login', body)).body.code).toBe('INTERNAL_ERROR')
    })
    const counted = app.db.read.selectFrom('login_failures').selectAll().where('failures', '>', 0)
    expect(await counted.where('subject', 'like', `%${username.toLowerCase()}%`).execute()).toEqual([])
    expect((await program.login(username, password)).body.success).toBe(true)
  })

  test('of 50 parallel guesses at most 5 are evaluated (R-AUTH-05)', async () => {
    const username = await newUser()
    const programs = await Promise.all(Array.from({ length: 50 }, () => started()))
    const answers = await Promise.all(programs.map((each, n) => each.login(username, `Wrong-password-${n}`)))
    expect(answers.filter(({ body }) => body.code === 'INVALID_CREDENTIALS')).toHaveLength(5)
    expect(answers.filter(({ body }) => body.code === 'LOGIN_COOLDOWN')).toHaveLength(45)
  })

  test("guesses in one app don't lock a user out of another", async () => {
    const username = await newUser()
    for (let n = 0; n < 6; n++) await program.login(username, 'Wrong-password')
    const other = await newOwnerWithApp(app)
    const elsewhere = await Program.of(app, other)
    await elsewhere.init()
    expect((await elsewhere.login(username, 'Wrong-password')).body.code).toBe('INVALID_CREDENTIALS')
  })

  test('a user of another app is unknown', async () => {
    const other = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(other, 1)
    const elsewhere = await Program.of(app, other)
    await elsewhere.init()
    await elsewhere.register('Only elsewhere', password, key)
    expect((await program.login('Only elsewhere', password)).body.code).toBe('INVALID_CREDENTIALS')
  })

  test('hostile bodies get a signed rejection', async () => {
    const notTexts = [5, true, null, [], {}, 'NUL \0 inside', '', undefined]
    const bodies = [
      ...notTexts.map((username) => ({ username, password, hwid: program.hwid })),
      ...notTexts.map((value) => ({ username: 'somebody', password: value, hwid: program.hwid })),
      { username: 'u'.repeat(65), password },
      { username: 'somebody', password: 'p'.repeat(257) },
      { username: 'somebody', password, hwid: [] },
      [],
      null,
    ]
    for (const body of bodies) expect((await program.send('login', body)).status, JSON.stringify(body)).toBe(400)
  })
})
