import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { countRows } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The envelope of all program calls. `Program` throws if the signature of a reply is invalid. */
let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
beforeEach(async () => {
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

const signedIn = async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
}
const path = (call: string) => `/api/1.0/client/${call}`

describe('replies are signed, errors too (R-CLI-01)', () => {
  test("with a key certified by the app's root key, for this exact request", async () => {
    const { headers } = await program.init()
    for (const name of ['key', 'time', 'signature', 'certificate']) expect(headers.get(`x-signet-${name}`)).toBeTruthy()
    const foreign = await newOwnerWithApp(app)
    const key = (await foreign.visitor.call('GET /apps')).body.apps[0]?.settings.serverObfuscationKey ?? ''
    // A program that pins the key of another app rejects the replies of this one.
    await expect(new Program(app, owner, key).init()).rejects.toThrow('Not signed by this root key.')
  })

  test('every rejection of every call is signed', async () => {
    for (const call of ['init', 'license', 'login', 'register', 'heartbeat', 'logout']) {
      for (const raw of ['', '{}', '[]', 'null', '{', '"x"', '{"version":1}']) {
        const answer = await program.send(call, undefined, { raw })
        expect(answer.status, `${call} ${raw}`).toBeGreaterThanOrEqual(400)
        expect(answer.body).toMatchObject({
          success: false,
          code: expect.stringMatching(/^[A-Z_]+$/),
          requestId: expect.any(String),
        })
      }
    }
  })

  test("only replies to unknown apps, or without the protocol's headers, are unsigned", async () => {
    const answer = await program.send(
      'init',
      {},
      { unsigned: true, headers: { 'x-signet-app': 'AAAAAAAAAA/No%20such' } },
    )
    expect(answer).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND', message: 'There is no such app' } })
    expect(answer.headers.get('x-signet-signature')).toBeNull()
  })

  test('an internal failure is a signed 500 without details', async () => {
    await program.init()
    await app.db.write(
      async ({ db: trx }) => void (await trx.schema.alterTable('licenses').renameTo('licenses_away').execute()),
    )
    const answer = await program
      .license('AAAA')
      .finally(() =>
        app.db.write(
          async ({ db: trx }) => void (await trx.schema.alterTable('licenses_away').renameTo('licenses').execute()),
        ),
      )
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred' },
    })
    expect(JSON.stringify(answer.body)).not.toMatch(/licenses|select|sql|no such table/i)
  })
})

describe('the headers', () => {
  test.each(['short', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, "' or 1=1 --"])(
    'the session token %j is rejected with a signature',
    async (token) => {
      const other = await Program.of(app, owner)
      other.session = token
      expect(await other.heartbeat()).toMatchObject({
        status: 400,
        body: { code: 'MALFORMED_REQUEST', message: 'The request is not of the protocol: X-Signet-Session' },
      })
    },
  )

  test.each([
    '',
    'x',
    `${'A'.repeat(10)}`,
    'AAAAAAAAAA/',
    '/name',
    'AAAAAAAA/name',
    'AAAAAAAAAA/%zz',
    'AAAAAAAAAA/a/b',
    `AAAAAAAAAA/${'x'.repeat(200)}`,
    "AAAAAAAAAA/' or 1=1 --",
  ])('X-Signet-App %j names no app', async (header) => {
    expect(await program.send('init', {}, { unsigned: true, headers: { 'x-signet-app': header } })).toMatchObject({
      status: 404,
      body: { code: 'APP_NOT_FOUND' },
    })
  })

  test.each([
    ['x-signet-nonce', ['', 'short', 'n'.repeat(21), 'n'.repeat(65), 'with space in the nonce!!', '='.repeat(24)]],
    ['x-signet-time', ['', 'now', '-1', '1.5', '1e12', '0x10', '9'.repeat(16)]],
  ])('a malformed %s is rejected', async (name, values) => {
    for (const value of values) {
      const answer = await program.send('heartbeat', {}, { unsigned: true, headers: { [name]: value } })
      expect(answer, value).toMatchObject({ status: 400, body: { code: 'MALFORMED_REQUEST' } })
      expect(answer.body.message).toMatch(/^The request is not of the protocol: X-Signet-/)
    }
  })

  test('the name of the app is case-insensitive', async () => {
    const [id, name = ''] = program.header.split('/')
    expect(
      (
        await program.send(
          'init',
          { version: '1.0.0' },
          { unsigned: true, headers: { 'x-signet-app': `${id}/${name.toUpperCase()}` } },
        )
      ).status,
    ).toBe(200)
  })
})

// Calls that only read, or were rejected, count once per process; calls that change something count once across all
// processes.
describe.skipIf(hasTwoProcesses)('a request is accepted once (R-CLI-03)', () => {
  const nonce = 'once-and-never-again-00'

  test('a session rejects a repeated nonce and accepts a new one', async () => {
    await signedIn()
    expect((await program.send('heartbeat', {}, { nonce })).status).toBe(200)
    expect(await program.send('heartbeat', {}, { nonce })).toMatchObject({
      status: 409,
      body: { code: 'NONCE_REUSED', message: 'This request was sent before' },
    })
    expect((await program.send('logout', {}, { nonce })).body.code).toBe('NONCE_REUSED')
    expect((await program.heartbeat()).status).toBe(200)
  })

  test('another session can use the same nonce', async () => {
    await signedIn()
    expect((await program.send('heartbeat', {}, { nonce })).status).toBe(200)
  })

  test('exactly one of 20 parallel requests in one session passes', async () => {
    await signedIn()
    const answers = await Promise.all(Array.from({ length: 20 }, () => program.send('heartbeat', {}, { nonce })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'NONCE_REUSED')).toHaveLength(19)
  })

  test('exactly one of 20 parallel requests passes as the first call of a session', async () => {
    await program.init()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => program.send('license', { key: 'NONE', hwid: program.hwid }, { nonce })),
    )
    expect(answers.filter(({ body }) => body.code === 'LICENSE_NOT_FOUND')).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'NONCE_REUSED')).toHaveLength(19)
  })

  test('also after the cached session is reloaded', async () => {
    await signedIn()
    await program.send('heartbeat', {}, { nonce })
    await owner.visitor.call('POST /create_subscription', { body: { name: 'Another' } })
    await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: 'Basic', active: true } })
    expect((await program.send('heartbeat', {}, { nonce })).body.code).toBe('NONCE_REUSED')
  })

  test('a rejected request uses up its nonce too', async () => {
    await program.init()
    await program.send('heartbeat', {}, { nonce })
    expect((await program.send('heartbeat', {}, { nonce })).body.code).toBe('NONCE_REUSED')
  })
})

test('a start is accepted once, before there is a session (R-CLI-03)', async () => {
  const before = await countRows(app, 'client_sessions')
  const starts = Array.from({ length: 20 }, () =>
    program.send('init', { version: '1.0.0' }, { nonce: 'start-once-and-no-more-0' }),
  )
  const answers = await Promise.all(starts)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'NONCE_REUSED')).toHaveLength(19)
  expect(await countRows(app, 'client_sessions')).toBe(before + 1)
})

describe('the clock (R-CLI-04)', () => {
  const shifted = (seconds: number) => ({ time: String(app.services.clock() + seconds * 1000) })

  test.each([-125, 125, -3600, 86_400])(
    '%s s off is rejected with the right time, signed, and changes nothing',
    async (seconds) => {
      const before = await databaseDigest(app.db)
      const answer = await program.send('init', { version: '1.0.0' }, shifted(seconds))
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'CLOCK_SKEW', message: 'The clock of this machine is off' },
      })
      expect(Math.abs(Number(answer.headers.get('x-signet-time')) - app.services.clock())).toBeLessThan(60_000)
      expect(await databaseDigest(app.db)).toBe(before)
    },
  )

  test.each([-110, 0, 110])('%s s off is accepted', async (seconds) => {
    expect((await program.send('init', { version: '1.0.0' }, shifted(seconds))).status).toBe(200)
  })

  test("a program whose clock is a day off continues with the server's time", async () => {
    const rejected = await program.send('init', { version: '1.0.0' }, shifted(86_400))
    const time = rejected.headers.get('x-signet-time') ?? ''
    const nonce = 'the-same-nonce-asked-again'
    expect((await program.send('init', { version: '1.0.0' }, { time, nonce })).status).toBe(200)
  })

  test("a rejection for the clock doesn't use up the nonce, so a replay can't take it from the program", async () => {
    const nonce = 'not-used-up-by-a-wrong-time'
    await program.send('init', { version: '1.0.0' }, { ...shifted(500), nonce })
    expect((await program.send('init', { version: '1.0.0' }, { nonce })).status).toBe(200)
  })
})

describe('bodies that attack the parser never make the server fail', () => {
  const deep = (depth: number) => `{"version":"1.0.0","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
  test.each([
    ['nested 30,000 deep', deep(30_000)],
    ['with 5,000 nested objects', `{"version":"1.0.0","x":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
    ['with __proto__', '{"__proto__":{"version":"1.0.0"},"constructor":{"prototype":{"x":1}}}'],
    ['with a field twice', '{"version":5,"version":"1.0.0"}'],
    ['with a number past all bounds', '{"version":1e999}'],
    ['with a lone surrogate', '{"version":"\\ud800"}'],
    ['with a NUL deep inside', '{"version":"1.0.0","x":[{"y":["\\u0000"]}]}'],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ['of blanks', ' '.repeat(60_000)],
  ])('%s', async (_name, raw) => {
    const answer = await program.send('init', undefined, { raw })
    expect(answer.status).toBeLessThan(500)
  })

  test('a body over 64 KiB is rejected before it is read', async () => {
    const raw = JSON.stringify({ version: 'x'.repeat(70_000) })
    const answer = await program.send('init', undefined, { raw, unsigned: true }).catch(() => undefined)
    // The server closes the connection while the client is still sending; a client that reads gets a 413.
    if (answer) expect(answer).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
    expect((await program.init()).status).toBe(200)
  })

  test('only POST is a call; other methods get a 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      expect((await app.visitor().send(method, path('init'))).status, method).toBe(404)
    }
  })

  test('duplicate headers count as missing', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        'x-signet-app': [program.header, program.header],
        'x-signet-nonce': 'n'.repeat(22),
        'x-signet-time': String(app.services.clock()),
      }
      httpRequest(`${app.url}${path('init')}`, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end('{}')
    })
    expect(status).toBe(404)
  })
})
