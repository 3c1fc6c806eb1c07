import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { strangeTexts } from '#testing/faults/hostile-input.ts'
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

const day = 86_400
async function started(hwid = 'a-machine-of-the-test'): Promise<Program> {
  const made = await Program.of(app, owner)
  made.hwid = hwid
  await made.init()
  return made
}
const set = (settings: object) => owner.visitor.call('POST /update_app', { body: { appId: owner.appId, settings } })
async function importRows(kind: 'licenses' | 'users', rows: object): Promise<void> {
  const file = { kind, source: 'keyauth', fileName: 'file.json', fingerprint: '', rows: 1 } as const
  const start = { ...file, levels: [{ label: '1', level: 1 }] }
  const { importId } = (await owner.visitor.call('POST /imports/start', { body: start })).body.import
  const { body } = await owner.visitor.call('POST /imports/rows', { body: { importId, batch: 1, ...rows } })
  expect(body).toMatchObject({ created: 1 })
}
const importKey = (key: string) => importRows('licenses', { licenses: [{ row: 1, key, level: '1', duration: '30' }] })
async function row(license: string) {
  const { body } = await owner.visitor.call('GET /licenses', { query: { search: license } })
  return body.licenses.find(({ licenseKey }) => licenseKey === license)
}

describe('signing in with a key', () => {
  test("creates a user with the key as the name and the license's time from now", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const { status, body } = await program.license(key)
    expect(status).toBe(200)
    expect(body['user']).toMatchObject({
      username: key,
      email: '',
      createdAt: expect.closeTo(app.now(), -2),
      lastLoginAt: expect.closeTo(app.now(), -2),
      subscriptions: [{ level: 1, name: 'Basic', expiresAt: expect.closeTo(app.now() + 30 * day, -2) }],
    })
    expect(await row(key)).toMatchObject({ used: true, usedBy: key })
  })

  test('a key is accepted with what a mail or a chat adds around it, in every call, and logged without it', async () => {
    const [key = '', second = '', third = ''] = await newLicenses(owner, 3)
    const pasted = (text: string) => `\uFEFF \t${text}\u200B\r\n`
    expect((await program.license(pasted(key))).body['user']).toMatchObject({ username: key })
    expect((await program.send('upgrade', { licenseKey: pasted(second) })).status).toBe(200)
    const other = await started()
    expect((await other.register('pasted it', 'Password-of-user', pasted(third))).status).toBe(200)
    const { logs } = (await owner.visitor.call('GET /logs', { query: { search: key } })).body
    expect(logs.map(({ licenseKey }) => licenseKey)).toContain(key)
  })

  test('a lifetime key never ends', async () => {
    const [key = ''] = await newLicenses(owner, 1, { expiryUnit: 'lifetime', duration: undefined })
    expect((await program.license(key)).body['user']).toMatchObject({ subscriptions: [{ expiresAt: null }] })
  })

  test('a second sign-in adds no time, and 20 at once add it once', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const programs = await Promise.all(Array.from({ length: 20 }, () => started()))
    const answers = await Promise.all(programs.map((each) => each.license(key)))
    // The later calls sign in like the first; no call grants more.
    expect(answers.filter(({ body }) => body.success).length).toBe(20)
    app.advance(3600)
    const again = await (await started()).license(key)
    const [subscription] = (again.body['user'] as { subscriptions: { expiresAt: number }[] }).subscriptions
    expect(subscription?.expiresAt).toBeLessThanOrEqual(app.now() + 30 * day - 3590)
  })

  test('a key that takes the last place for a user signs in all of its calls at once', async () => {
    const full = await newOwnerWithApp(app)
    const keys = await newLicenses(full, 10)
    await setPlan(app, full.id, 'Free')
    const signIn = async (key: string) => {
      const made = await Program.of(app, full)
      await made.init()
      return () => made.license(key)
    }
    for (const key of keys.slice(1)) await (await signIn(key))()
    const calls = await Promise.all(Array.from({ length: 10 }, () => signIn(keys[0] ?? '')))
    const answers = await Promise.all(calls.map((call) => call()))
    expect(answers.map(({ body }) => body.code ?? 'done')).toEqual(Array(10).fill('done'))
  })

  test('a key expires when its time is over, whether it was used before or not', async () => {
    const [key = ''] = await newLicenses(owner, 1, { duration: 1 })
    await program.license(key)
    app.advance(day)
    expect((await (await started()).license(key)).body).toMatchObject({
      code: 'SUBSCRIPTION_EXPIRED',
      message: 'Your subscription has expired',
    })
  })
})

describe('the machine', () => {
  test('is bound by the first use; another machine is rejected until the owner resets it (R-CLI-08)', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await program.license(key)
    const elsewhere = await started('another-machine')
    expect((await elsewhere.license(key)).body).toMatchObject({
      code: 'HWID_MISMATCH',
      message: 'This account belongs to another machine',
    })
    expect((await program.license(key)).body.success).toBe(true)
    await owner.visitor.send('POST', '/api/1.0/website/reset_user_hwid', { body: { username: key } })
    expect((await elsewhere.license(key)).body.success).toBe(true)
    expect((await (await started()).license(key)).body.code).toBe('HWID_MISMATCH')
  })

  test('is stored only as a keyed hash, different in each app (R-CLI-08)', async () => {
    const other = await newOwnerWithApp(app)
    for (const each of [owner, other]) {
      const [key = ''] = await newLicenses(each, 1)
      const machine = await Program.of(app, each)
      machine.hwid = 'HWID-CANARY-123'
      await machine.init()
      await machine.license(key)
    }
    const users = await app.db.read.selectFrom('users').selectAll().where('hwid_hash', 'is not', null).execute()
    const sessions = await app.db.read.selectFrom('client_sessions').selectAll().execute()
    expect(JSON.stringify([users, sessions])).not.toContain('CANARY')
    const hashes = [owner, other].map(({ appId }) => users.findLast((user) => user.app_id === appId)?.hwid_hash)
    expect(hashes[0]).toMatch(/^[\w-]{43}$/)
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test("must be sent and meet the owner's minimum length; a rejected key stays unused", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await set({ minimumHwidLength: 12 })
    for (const hwid of [undefined, '']) {
      expect((await program.send('license', { key, hwid })).body).toMatchObject({
        code: 'HWID_REQUIRED',
        message: 'This app needs a hardware id',
      })
    }
    expect((await program.send('license', { key, hwid: 'x'.repeat(11) })).body).toMatchObject({
      code: 'HWID_TOO_SHORT',
      message: 'The hardware id is too short',
    })
    expect(await row(key)).toMatchObject({ used: false })
    expect((await program.send('license', { key, hwid: 'x'.repeat(12) })).body.success).toBe(true)
    await set({ minimumHwidLength: 8 })
  })

  test("isn't checked or bound while the lock is off", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await set({ hwidLock: false })
    expect((await program.send('license', { key })).body.success).toBe(true)
    expect((await program.send('license', { key, hwid: 'some-machine' })).body.success).toBe(true)
    await set({ hwidLock: true })
    expect((await (await started('other-machine')).license(key)).body.success).toBe(true)
  })
})

describe('rejecting', () => {
  test.each([...strangeTexts, 'NONE-NONE-NONE-NONE', `' or '1'='1`, '%'])(
    "the key %j doesn't exist in this app",
    async (key) => {
      expect(await program.license(key)).toMatchObject({
        status: 404,
        body: { code: 'LICENSE_NOT_FOUND', message: 'License not found' },
      })
    },
  )

  test('a key of another app is invalid here and stays unused', async () => {
    const other = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(other, 1)
    expect((await program.license(key)).body.code).toBe('LICENSE_NOT_FOUND')
    expect((await other.visitor.call('GET /licenses', { query: { search: key } })).body.licenses).toMatchObject([
      { used: false },
    ])
  })

  test('a banned key is rejected whether used or not, and stays unchanged', async () => {
    const [unused = '', used = ''] = await newLicenses(owner, 2)
    await program.license(used)
    for (const licenseKey of [unused, used]) {
      await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
      expect((await (await started()).license(licenseKey)).body).toMatchObject({
        code: 'LICENSE_BANNED',
        message: 'This license is banned',
      })
    }
    expect(await row(unused)).toMatchObject({ used: false })
  })

  test("a key that a user registered with can't sign in by itself", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await program.register('registered one', 'Password-of-user', key)
    expect((await (await started()).license(key)).body).toMatchObject({
      code: 'LICENSE_ALREADY_USED',
      message: 'This license has already been used',
    })
  })

  test("a key can't sign in by itself if the user it is the name of registered with a password", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    expect((await program.register(key, 'Password-of-user', key)).body.success).toBe(true)
    expect((await (await started()).license(key)).body.code).toBe('LICENSE_ALREADY_USED')
    expect((await program.login(key, 'Password-of-user')).body.success).toBe(true)
  })

  test("a key can't sign in by itself once the owner has given its user a password", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    expect((await program.license(key)).body.success).toBe(true)
    await owner.visitor.call('POST /edit_user', { body: { username: key, email: 'customer@example.com' } })
    expect((await (await started()).license(key)).body.success).toBe(true)
    await owner.visitor.call('POST /edit_user', { body: { username: key, password: 'Password-of-user' } })
    const later = await started()
    expect((await later.license(key)).body.code).toBe('LICENSE_ALREADY_USED')
    expect((await later.login(key, 'Password-of-user')).body.success).toBe(true)
  })

  test("a key that equals a registered username doesn't sign in as that user", async () => {
    const [key = '', other = ''] = await newLicenses(owner, 2)
    expect((await program.register(key, 'Password-of-user', other)).body.success).toBe(true)
    expect((await (await started()).license(key)).body.success).toBe(false)
    expect(await row(key)).toMatchObject({ used: false })
  })

  test('of two keys that differ only in case, neither ever signs in as the user of the other', async () => {
    const [upper, lower] = ['PAIR-OF-KEYS-1', 'pair-of-keys-1']
    await importKey(upper)
    // As an earlier version could create it.
    const pair = { app_id: owner.appId, license: lower, level: 1, duration_seconds: 30 * day, created_at: app.now() }
    await app.db.write(({ db }) =>
      db
        .insertInto('licenses')
        .values(pair as never)
        .execute(),
    )
    expect((await program.license(upper)).body['user']).toMatchObject({ username: upper })
    expect((await program.license(lower)).body).toMatchObject({ code: 'LICENSE_ALREADY_USED' })
    expect(await row(lower)).toMatchObject({ used: false })
    await owner.visitor.call('POST /delete_user', { body: { username: upper } })
    expect((await (await started()).license(lower)).body['user']).toMatchObject({ username: lower })
    expect((await (await started()).license(upper)).body).toMatchObject({ code: 'LICENSE_ALREADY_USED' })
  })

  test('a key whose user was deleted signs in as no later user of that name', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await program.license(key)
    await owner.visitor.call('POST /delete_user', { body: { username: key } })
    await importRows('users', {
      users: [{ row: 1, username: key, subscriptions: [{ level: '1', expiry: 'lifetime' }] }],
    })
    expect((await (await started()).license(key)).body).toMatchObject({ code: 'LICENSE_ALREADY_USED' })
    expect((await program.login(key, '')).body.success).toBe(false)
  })

  test('a key whose user comes back from the bin signs in as that user', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await program.license(key)
    const { undoId } = (await owner.visitor.call('POST /delete_user', { body: { username: key } })).body
    expect((await (await started()).license(key)).body.success).toBe(false)
    expect((await owner.visitor.call('POST /bin/restore', { body: { undoId: undoId ?? '' } })).status).toBe(200)
    expect((await (await started()).license(key)).body['user']).toMatchObject({ username: key })
  })

  test.each(['ÄRGER-ΣÖ', 'STRAẞE', 'İSTANBUL', 'e\u0301te\u0301'])(
    'a user %s is the same in any case, and no second one gets in by it',
    async (name) => {
      const [first = '', second = ''] = await newLicenses(owner, 2)
      expect((await program.register(name, 'Password-of-user', first)).body.success).toBe(true)
      const other = name.normalize('NFC').toLowerCase()
      const again = await started()
      expect((await again.register(other, 'Another-password', second)).body).toMatchObject({ code: 'USERNAME_TAKEN' })
      expect((await again.login(other, 'Another-password')).body.success).toBe(false)
      expect((await again.login(other, 'Password-of-user')).body.success).toBe(true)
    },
  )

  test('hostile bodies get a signed rejection and change nothing', async () => {
    const before = await databaseDigest(app.db)
    const notKeys = [5, true, null, [], {}, '', 'k'.repeat(201), 'NUL \0', undefined]
    const bodies = [
      ...notKeys.map((key) => ({ key, hwid: program.hwid })),
      ...[5, true, null, [], {}, 'h'.repeat(1025), 'NUL \0'].map((hwid) => ({ key: 'AAAA', hwid })),
      [],
      null,
      'text',
    ]
    for (const body of bodies) expect((await program.send('license', body)).status, JSON.stringify(body)).toBe(400)
    expect(await databaseDigest(app.db)).toBe(before)
  })
})
