import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
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
})
beforeEach(async () => {
  program = await started()
})
afterAll(() => app.close())

const password = 'Password-of-user'
async function started(): Promise<Program> {
  const made = await Program.of(app, owner)
  await made.init()
  return made
}
const row = async (license: string) =>
  (await owner.visitor.call('GET /licenses', { query: { search: license } })).body.licenses[0]

describe('registering', () => {
  test('creates a signed-in user with what the license gives, and uses the license', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const form = {
      username: 'João da Silva 🦊',
      password,
      licenseKey: key,
      email: ' joao@example.com ',
      hwid: program.hwid,
    }
    const { status, body } = await program.send('register', form)
    expect(status).toBe(200)
    expect(body['user']).toMatchObject({
      username: 'João da Silva 🦊',
      email: 'joao@example.com',
      subscriptions: [{ level: 1, expiresAt: expect.closeTo(app.now() + 30 * 86_400, -2) }],
    })
    expect((await program.heartbeat()).body.success).toBe(true)
    expect(await row(key)).toMatchObject({ used: true, usedBy: 'João da Silva 🦊' })
  })

  test('the email can be omitted, null, or empty', async () => {
    const keys = await newLicenses(owner, 3)
    for (const [n, email] of [undefined, null, ''].entries()) {
      const form = { username: `no address ${n}`, password, licenseKey: keys[n], email, hwid: program.hwid }
      expect((await program.send('register', form)).body['user']).toMatchObject({ email: '' })
    }
  })

  test('stores the password only as argon2id', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await program.register('hashed one', 'Canary-Password-1', key)
    const rows = await app.db.read.selectFrom('users').selectAll().where('username', '=', 'hashed one').execute()
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$/)
    expect(JSON.stringify(rows)).not.toContain('Canary-Password-1')
  })

  test('of 10 registrations of one name at once, one succeeds; the other licenses stay unused', async () => {
    const keys = await newLicenses(owner, 10)
    const programs = await Promise.all(keys.map(() => started()))
    const answers = await Promise.all(
      programs.map((each, n) => each.register(n % 2 ? 'Raced Name' : 'raced NAME', password, keys[n] ?? '')),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    for (const { body } of answers.filter(({ body }) => !body.success)) expect(body.code).toBe('USERNAME_TAKEN')
    const used = await Promise.all(keys.map(async (key) => (await row(key))?.used))
    expect(used.filter(Boolean)).toHaveLength(1)
  })
})

describe('a failed registration leaves the license unused and creates no user (R-LIC-03)', () => {
  test.each<[string, string, object]>([
    ['USERNAME_INVALID', 'The username must have 3 to 64 visible characters', { username: 'ab' }],
    ['USERNAME_INVALID', 'The username must have 3 to 64 visible characters', { username: ' abc' }],
    ['USERNAME_INVALID', 'The username must have 3 to 64 visible characters', { username: 'zero\u200Bwidth' }],
    ['USERNAME_INVALID', 'The username must have 3 to 64 visible characters', { username: 'x'.repeat(65) }],
    ['PASSWORD_TOO_SHORT', 'Password must be at least 8 characters', { password: 'Short-7' }],
    ['EMAIL_INVALID', 'Please enter a valid email address', { email: 'nowhere' }],
    ['HWID_REQUIRED', 'This app needs a hardware id', { hwid: undefined }],
    ['HWID_TOO_SHORT', 'The hardware id is too short', { hwid: 'short' }],
    ['USERNAME_TAKEN', 'This username is already taken', { username: 'TAKEN already' }],
    ['LICENSE_NOT_FOUND', 'License not found', { licenseKey: 'NONE' }],
  ])('%s: %s, for %j', async (code, message, change) => {
    const [key = '', other = ''] = await newLicenses(owner, 2)
    if (code === 'USERNAME_TAKEN') await (await started()).register('taken ALREADY', password, other)
    const before = await databaseDigest(app.db)
    const { status, body } = await program.send('register', {
      username: 'never made',
      password,
      licenseKey: key,
      hwid: program.hwid,
      ...change,
    })
    expect({ code: body.code, message: body.message }).toEqual({ code, message })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await databaseDigest(app.db)).toBe(before)
    expect(await row(key)).toMatchObject({ used: false })
  })

  test('a banned or used license, and one on a paused level', async () => {
    const [banned = '', used = '', paused = ''] = await newLicenses(owner, 3)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
    await (await started()).register('user of used', password, used)
    expect((await program.register('never made', password, banned)).body.code).toBe('LICENSE_BANNED')
    expect((await program.register('never made', password, used)).body.code).toBe('LICENSE_ALREADY_USED')
    await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: 'Basic', active: false } })
    expect((await program.register('never made', password, paused)).body).toMatchObject({
      code: 'SUBSCRIPTION_PAUSED',
      message: 'Your subscription is paused',
    })
    expect(await row(paused)).toMatchObject({ used: false })
    await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: 'Basic', active: true } })
    expect((await program.register('never made', password, paused)).body.success).toBe(true)
  })

  test('a full app (R-LIC-05)', async () => {
    const full = await newOwnerWithApp(app)
    const keys = await newLicenses(full, 15)
    await setPlan(app, full.id, 'Free')
    const programs = await Promise.all(keys.map(() => Program.of(app, full)))
    for (const each of programs) await each.init()
    const answers = await Promise.all(programs.map((each, n) => each.register(`guest ${n}`, password, keys[n] ?? '')))
    expect(answers.filter(({ body }) => body.success)).toHaveLength(10)
    for (const { status, body } of answers.filter(({ body }) => !body.success)) {
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 403,
        code: 'USER_LIMIT_REACHED',
        message: 'This app has reached its user limit',
      })
    }
    const { body } = await full.visitor.call('GET /licenses', { query: { limit: 100 } })
    expect(body.licenses.filter(({ used }) => used)).toHaveLength(10)
  })

  test('hostile bodies', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const valid = { username: 'never made', password, licenseKey, hwid: program.hwid }
    const notTexts = [5, true, null, [], {}, 'NUL \0 inside']
    const before = await databaseDigest(app.db)
    const bodies = [
      ...(['username', 'password', 'licenseKey', 'hwid'] as const).flatMap((name) =>
        notTexts.map((value) => ({ ...valid, [name]: value })),
      ),
      ...[5, true, [], {}, 'e'.repeat(255)].map((email) => ({ ...valid, email })),
      { ...valid, username: 'u'.repeat(201) },
      { ...valid, password: 'p'.repeat(257) },
      { ...valid, licenseKey: 'l'.repeat(201) },
      {},
      [],
      null,
    ]
    for (const body of bodies) expect((await program.send('register', body)).status, JSON.stringify(body)).toBe(400)
    expect(await databaseDigest(app.db)).toBe(before)
  })
})
