import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessionHash } from '#server/secrets/session-token.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn, setAccountBanned } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'My App-1_x')
  await keepSignedIn(app, owner)
})
beforeEach(async () => {
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

const set = (settings: object) => owner.visitor.call('POST /update_app', { body: { appId: owner.appId, settings } })

describe('starting', () => {
  test('returns a session of the length that the owner set, and the app', async () => {
    await set({ sessionExpiryDuration: 600 })
    const { status, body } = await program.init()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      session: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.closeTo(app.now() + 600, -2),
    })
    expect(body['app']).toEqual({ name: 'My App-1_x', version: '1.0.0', webloaderUrl: null })
  })

  test("returns the owner's webloader link from the next start", async () => {
    await set({ webloaderDownloadLink: 'https://example.com/loader' })
    expect((await program.init()).body['app']).toMatchObject({ webloaderUrl: 'https://example.com/loader' })
    await set({ webloaderDownloadLink: '' })
    expect((await program.init()).body['app']).toMatchObject({ webloaderUrl: null })
  })

  test('a version is any visible text, compared exactly', async () => {
    const version = '1.0 “beta” — 🦊'
    await set({ version: ` ${version} ` })
    expect((await program.init('1.0')).body).toMatchObject({ code: 'VERSION_OUTDATED', version })
    expect((await program.init(version)).body).toMatchObject({ success: true, app: { version } })
    await set({ version: '1.0.0' })
  })

  test('the database stores the session only as a hash (R-CLI-05)', async () => {
    const { body } = await program.init()
    const rows = await app.db.read.selectFrom('client_sessions').selectAll().execute()
    expect(rows.map((row) => row.token_hash)).toContain(sessionHash(String(body['session'])))
    expect(JSON.stringify(rows)).not.toContain(body['session'])
  })

  test('fields of newer clients are accepted and ignored', async () => {
    expect((await program.init('1.0.0', { telemetry: { a: [1] }, sdk: 'x/1', constructor: 1 })).status).toBe(200)
  })

  test('each start opens its own session', async () => {
    const other = await Program.of(app, owner)
    await Promise.all([program.init(), other.init()])
    expect(program.session).not.toBe(other.session)
  })
})

describe('rejections', () => {
  test.each(['0.9', '1.0.0 ', '2', 'v1.0.0', '1.0.00'])(
    'version %j is out of date, and the reply says where to get the right one',
    async (version) => {
      await set({ autoUpdateDownloadLink: 'https://example.com/new.exe' })
      const { status, body } = await program.init(version)
      expect(status).toBe(403)
      expect(body).toMatchObject({
        success: false,
        code: 'VERSION_OUTDATED',
        message: 'This version is out of date. Please update.',
        version: '1.0.0',
        downloadUrl: 'https://example.com/new.exe',
      })
      expect(body).not.toHaveProperty('session')
    },
  )

  test('the reply has no link if the owner set none', async () => {
    await set({ autoUpdateDownloadLink: '' })
    const { body } = await program.init('0.9')
    expect(body).toMatchObject({ code: 'VERSION_OUTDATED', version: '1.0.0' })
    expect(body).not.toHaveProperty('downloadUrl')
  })

  test('the hash of the program file is checked only while the check is on (R-CLI-09)', async () => {
    const hash = 'ab'.repeat(32)
    await set({ hashCheck: true, hashToCheck: hash })
    for (const wrong of [undefined, '', 'cd'.repeat(32), `${hash} `, hash.slice(1)]) {
      expect((await program.init('1.0.0', { hash: wrong })).body).toMatchObject({
        code: 'HASH_MISMATCH',
        message: 'The program file has been changed',
      })
    }
    expect((await program.init('1.0.0', { hash })).status).toBe(200)
    expect((await program.init('1.0.0', { hash: hash.toUpperCase() })).status).toBe(200)
    await set({ hashCheck: false })
    expect((await program.init('1.0.0', { hash: 'anything' })).status).toBe(200)
  })

  test('a disabled app rejects starts until it is enabled again', async () => {
    await set({ appStatus: false })
    expect((await program.init()).body).toMatchObject({ code: 'APP_DISABLED', message: 'This app is disabled' })
    await set({ appStatus: true })
    expect((await program.init()).status).toBe(200)
  })

  test("a banned owner's programs stop, and work again once the ban is lifted", async () => {
    await program.init()
    await setAccountBanned(app, owner.id, true)
    for (const call of ['init', 'heartbeat']) {
      expect((await program.send(call, { version: '1.0.0' })).body).toMatchObject({
        code: 'OWNER_BANNED',
        message: 'This app is not available',
      })
    }
    await setAccountBanned(app, owner.id, false)
    expect((await program.init()).status).toBe(200)
  })

  test('hostile bodies get a signed 400 and no session', async () => {
    const before = await databaseDigest(app.db)
    const bodies = [
      ...notTexts.filter((text) => text !== 'with a NUL \0 inside').map((version) => ({ version })),
      { version: 'NUL \0' },
      { version: '' },
      { version: 'v'.repeat(65) },
      ...[5, true, null, [], {}, 'h'.repeat(129)].map((hash) => ({ version: '1.0.0', hash })),
      {},
      [],
      null,
      5,
      'text',
    ]
    for (const body of bodies) {
      const answer = await program.send('init', body)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body).toMatchObject({
        success: false,
        code: expect.any(String),
        message: expect.any(String),
        requestId: expect.any(String),
      })
    }
    expect(await databaseDigest(app.db)).toBe(before)
  })
})

describe('an app that blocks VPNs', () => {
  const vpnFile = () => app.services.config.ipData.vpnFile
  const list = (networks: string) => {
    mkdirSync(dirname(vpnFile()), { recursive: true })
    writeFileSync(vpnFile(), networks)
    app.advance(11)
  }
  afterAll(async () => {
    rmSync(vpnFile(), { force: true })
    app.advance(11)
    await set({ vpnBlock: false })
  })

  test('rejects starts over a VPN with a signed reply, and accepts other and unknown addresses', async () => {
    await set({ vpnBlock: true })
    expect((await program.init()).status).toBe(200)
    list('203.0.113.0/24')
    expect((await program.init()).status).toBe(200)
    list('127.0.0.0/8\n::1')
    expect(await program.init()).toMatchObject({ status: 403, body: { code: 'VPN_BLOCKED' } })
    await set({ vpnBlock: false })
    expect((await program.init()).status).toBe(200)
  })
})
