import { describe, expect, test } from 'vitest'
import { ScriptedServer } from '../scripted-server.ts'
import { type Client, type ClientOptions, SignetError } from './client.ts'
import { codes } from './codes.ts'

/** Which session a call is made in, how it is renewed, and which errors end it. */

type Call = (client: Client) => Promise<unknown>

const inSession: Record<string, Call> = {
  variable: (client) => client.variable('x'),
  'user-variable': (client) => client.userVariable('x'),
  'set-user-variable': (client) => client.setUserVariable('x', 'y'),
  log: (client) => client.log('x'),
  'call-webhook': (client) => client.callWebhook('x'),
  download: (client) => client.download('x', '/nowhere/x'),
  'change-password': (client) => client.changePassword('x', 'y'),
}
const aboutInput: Record<string, Call> = {
  upgrade: (client) => client.upgrade('KEY'),
  license: (client) => client.license('KEY'),
  login: (client) => client.login('x', 'y'),
  register: (client) => client.register('x', 'y', 'KEY'),
  'request-password-reset': (client) => client.requestPasswordReset('x'),
}
const ending = Object.entries(codes).flatMap(([code, { verdict }]) => (verdict === 'lost' ? [code] : []))
const notEnding = ['LICENSE_NOT_FOUND', 'INVALID_CREDENTIALS', 'NOT_SIGNED_IN', 'A_CODE_OF_TOMORROW', 'constructor']

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof SignetError ? error.code : Promise.reject(error)),
  )

async function signedIn(changes: Partial<ClientOptions> = {}) {
  const server = new ScriptedServer()
  const lost: string[] = []
  const client = server.client({ onLost: ({ code }) => lost.push(code), ...changes })
  await client.license('KEY')
  server.received.length = 0
  const tokens = (name: string) =>
    server.received.filter((call) => call.name === name).map(({ headers }) => headers['x-signet-session'])
  return { server, client, lost, tokens }
}

/** The codes of a call and of logging out while its request is under way. */
async function logOutDuring(call: Call, { server, client }: { server: ScriptedServer; client: Client }) {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const fetch = server.fetch.bind(server)
  server.fetch = async (url, init) => {
    asked.resolve()
    await gate.promise
    return fetch(url, init)
  }
  const called = codeOf(call(client))
  await asked.promise
  const logout = codeOf(client.logout())
  gate.resolve()
  return Promise.all([called, logout])
}

describe('signing in', () => {
  test('a wrong key leaves the session of the signed-in user', async () => {
    const { server, client, lost, tokens } = await signedIn()
    await client.heartbeat()
    for (const [status, code] of [
      [404, 'LICENSE_NOT_FOUND'],
      [403, 'LICENSE_BANNED'],
      [401, 'SESSION_ENDED'],
      [503, 'MAINTENANCE'],
    ] as const) {
      server.scripts.set('license', { status, code })
      expect(await codeOf(client.license('TYPO'))).toBe(code)
      expect(client.isValid()).toBe(true)
    }
    server.scripts.clear()
    server.isFake = true
    expect(await codeOf(client.license('TYPO'))).toBe('UNSIGNED_RESPONSE')
    server.isFake = false
    await client.heartbeat()
    expect(new Set(tokens('heartbeat')).size).toBe(1)
    expect(tokens('logout')).toEqual([])
    expect([client.session?.user.username, lost]).toEqual(['alice', []])
  })

  test('a new sign-in uses a new session, and logs the old one out in the background', async () => {
    const { server, client, tokens } = await signedIn()
    await client.heartbeat()
    server.scripts.set('logout', 'hang')
    await client.login('alice', 'secret')
    await client.heartbeat()
    const [before, after] = tokens('heartbeat')
    expect(after).not.toBe(before)
    expect(tokens('login')).toEqual([after])
    expect(tokens('logout')).toEqual([before])
  })

  test('init while signed in is for the next sign-in', async () => {
    const { server, client, tokens } = await signedIn()
    await client.init()
    await client.heartbeat()
    await client.license('KEY')
    expect(server.calls.slice(0, 3)).toEqual(['init', 'heartbeat', 'license'])
    expect(tokens('license')).not.toEqual(tokens('heartbeat'))
  })

  test("after an answer that can't be verified, the session isn't used again", async () => {
    const server = new ScriptedServer()
    const client = server.client()
    await client.init()
    server.isFake = true
    expect(await codeOf(client.license('KEY'))).toBe('UNSIGNED_RESPONSE')
    server.isFake = false
    await client.license('KEY')
    expect(server.calls).toEqual(['init', 'license', 'init', 'license'])
  })

  test('leaves nobody signed in if the program logs out meanwhile', async () => {
    const server = new ScriptedServer()
    const client = server.client()
    await client.init()
    const outcomes = await logOutDuring(() => client.license('KEY'), { server, client })
    expect(outcomes).toEqual(['accepted', 'accepted'])
    expect([server.sessions.size, client.session, client.isValid()]).toEqual([0, undefined, false])
  })

  test('a rejected key can be corrected in the same session', async () => {
    const server = new ScriptedServer()
    const client = server.client()
    server.next.set('license', [{ status: 404, code: 'LICENSE_NOT_FOUND' }])
    expect(await codeOf(client.license('TYPO'))).toBe('LICENSE_NOT_FOUND')
    await client.license('KEY')
    expect(server.calls).toEqual(['init', 'license', 'license'])
  })

  test.each(['SESSION_EXPIRED', 'SESSION_ENDED', 'SESSION_REQUIRED', 'SESSION_REPLACED'])(
    'a session that is gone (%s) is opened again only once',
    async (code) => {
      const server = new ScriptedServer()
      const client = server.client()
      server.scripts.set('license', { status: 401, code })
      await client.init()
      expect(await codeOf(client.license('KEY'))).toBe(code)
      expect(server.calls).toEqual(['init', 'license', 'init', 'license'])
    },
  )

  test('keys are trimmed in every call, and nothing else is', async () => {
    const { server, client } = await signedIn()
    await client.license(' \u200BKEY\u00A0\r\n')
    await client.register(' alice ', ' secret ', '\uFEFFKEY 2\u2060')
    await client.upgrade('\tKEY\u00AD3\u202E')
    await client.login('alice', ' secret ', { licenseKey: 'KEY 4\u00A0' })
    await client.login('alice', 'secret')
    const sent = server.received.flatMap(({ fields: { key, licenseKey, password } }) => [key, licenseKey, password])
    expect(sent.filter((each) => each !== undefined)).toEqual([
      'KEY',
      'KEY 2',
      ' secret ',
      'KEY\u00AD3',
      'KEY 4',
      ' secret ',
      'secret',
    ])
  })
})

describe('a session that expired', () => {
  test.each([
    [401, 'SESSION_EXPIRED'],
    [403, 'HWID_MISMATCH'],
    [403, 'LICENSE_BANNED'],
    [400, 'A_CODE_OF_TOMORROW'],
  ])('is lost with a verified no to its renewal: %s %s', async (status, code) => {
    const { server, client, lost } = await signedIn()
    server.expireSessions()
    server.scripts.set('renew', { status, code })
    expect(await codeOf(client.variable('x'))).toBe(code)
    expect([client.isValid(), client.lost?.code, lost]).toEqual([false, code, [code]])
    expect(server.calls).toEqual(['variable', 'renew'])
  })

  test('is renewed later if there is no verifiable answer', async () => {
    const { server, client, lost } = await signedIn()
    server.expireSessions()
    for (const status of [429, 500, 503]) {
      server.scripts.set('renew', { status, code: 'LICENSE_BANNED' })
      expect(await codeOf(client.heartbeat())).toBe('LICENSE_BANNED')
    }
    server.scripts.set('renew', 'drop')
    expect(await codeOf(client.heartbeat())).toBe('NETWORK')
    expect([client.isValid(), client.lost, lost]).toEqual([true, undefined, []])
    server.scripts.clear()
    await client.heartbeat()
  })

  test.each(
    Object.entries({
      ...inSession,
      upgrade: aboutInput['upgrade'] as Call,
      heartbeat: (client: Client) => client.heartbeat(),
    }),
  )('is renewed without key or password, and %s repeated in it', async (name, call) => {
    const { server, client } = await signedIn({ programHash: 'ab'.repeat(32) })
    server.expireSessions()
    expect(await codeOf(call(client))).toBe(name === 'download' ? 'MALFORMED_REPLY' : 'accepted')
    expect(server.calls).toEqual([name, 'renew', name])
    expect(new Set(server.received.map(({ headers }) => headers['x-signet-session'])).size).toBe(1)
    const program = { version: '1.0', hash: 'ab'.repeat(32), hwid: 'a-machine-of-the-test' }
    expect(server.received[1]?.fields).toEqual(program)
  })

  test('is renewed with the hash of the program as it was started, whatever an update did to its file', async () => {
    const hashes = ['ab'.repeat(32), 'cd'.repeat(32)]
    const server = new ScriptedServer()
    const client = server.client({ programHash: () => hashes.shift() as string })
    await client.license('KEY')
    server.expireSessions()
    await client.heartbeat()
    const sent = server.received.filter(({ name }) => name === 'init' || name === 'renew')
    expect(sent.map(({ fields }) => fields['hash'])).toEqual(['ab'.repeat(32), 'ab'.repeat(32)])
  })

  test('is renewed again if the answer was lost', async () => {
    const { server, client } = await signedIn()
    server.expireSessions()
    server.next.set('renew', ['drop'])
    await client.heartbeat()
    const nonces = server.received
      .filter(({ name }) => name === 'renew')
      .map(({ headers }) => headers['x-signet-nonce'])
    expect(nonces).toHaveLength(3)
    expect(new Set(nonces).size).toBe(2)
  })

  test("isn't renewed in a circle", async () => {
    const { server, client } = await signedIn()
    server.scripts.set('variable', { status: 401, code: 'SESSION_EXPIRED' })
    expect(await codeOf(client.variable('x'))).toBe('SESSION_EXPIRED')
    expect(server.calls).toEqual(['variable', 'renew', 'variable'])
    expect(client.isValid()).toBe(true)
    server.scripts.set('heartbeat', { status: 401, code: 'SESSION_EXPIRED' })
    expect(await codeOf(client.heartbeat())).toBe('SESSION_EXPIRED')
    expect(client.isValid()).toBe(false)
  })

  test('and that nobody signed in to is opened again instead', async () => {
    const server = new ScriptedServer()
    const client = server.client()
    await client.log('before')
    server.expireSessions()
    await client.log('after')
    expect(server.calls).toEqual(['init', 'log', 'log', 'init', 'log'])
  })

  test('counts as over without a heartbeat in the background', async () => {
    const server = new ScriptedServer()
    server.sessionSeconds = -1
    const client = server.client()
    await client.license('KEY')
    expect(client.isValid()).toBe(false)
    server.sessionSeconds = 3600
    await client.heartbeat()
    expect(client.isValid()).toBe(true)
  })
})

describe('an error', () => {
  const outcome = async (name: string, call: Call, status: number, code: string) => {
    const { server, client, lost } = await signedIn()
    server.scripts.set(name, { status, code })
    expect(await codeOf(call(client))).toBe(code)
    const isValid = client.isValid()
    await Promise.resolve()
    expect(lost).toEqual(isValid ? [] : [code])
    return isValid
  }
  const beat: Call = (client) => client.heartbeat()

  test('of a call in the session ends it with certain codes only', async () => {
    expect(ending).toHaveLength(13)
    for (const [name, call] of Object.entries(inSession)) {
      for (const code of ending) expect(await outcome(name, call, 403, code), `${name} ${code}`).toBe(false)
      for (const code of notEnding) expect(await outcome(name, call, 403, code), `${name} ${code}`).toBe(true)
    }
  })

  test('about what was typed ends nothing', async () => {
    for (const [name, call] of Object.entries(aboutInput)) {
      expect(await outcome(name, call, 403, 'LICENSE_BANNED'), name).toBe(true)
    }
    for (const code of ['SESSION_ENDED', 'SESSION_REPLACED']) {
      expect(await outcome('upgrade', aboutInput['upgrade'] as Call, 401, code)).toBe(false)
    }
  })

  test('of a heartbeat ends the session if it is signed, whatever it is', async () => {
    for (const code of [...ending, ...notEnding, 'NETWORK', 'UNSIGNED_RESPONSE']) {
      expect(await outcome('heartbeat', beat, 403, code), code).toBe(false)
    }
  })

  test('that is temporary ends nothing', async () => {
    for (const [status, code] of [
      [429, 'RATE_LIMITED'],
      [503, 'LICENSE_BANNED'],
      [409, 'NONCE_REUSED'],
      [400, 'CLOCK_SKEW'],
    ] as const) {
      expect(await outcome('heartbeat', beat, status, code), code).toBe(true)
      expect(await outcome('variable', inSession['variable'] as Call, status, code), code).toBe(true)
    }
  })

  test('SUBSCRIPTION_EXPIRED ends a session until an upgrade revives it, with its heartbeat', async () => {
    const { server, client, lost } = await signedIn({ heartbeatSeconds: 0.05 })
    server.scripts.set('heartbeat', { status: 403, code: 'SUBSCRIPTION_EXPIRED' })
    await expect.poll(() => lost).toEqual(['SUBSCRIPTION_EXPIRED'])
    for (const [status, code] of [
      [404, 'LICENSE_NOT_FOUND'],
      [403, 'SUBSCRIPTION_EXPIRED'],
      [503, 'MAINTENANCE'],
    ] as const) {
      server.next.set('upgrade', [{ status, code }])
      expect(await codeOf(client.upgrade('TYPO'))).toBe(code)
      expect([client.isValid(), client.lost?.code]).toEqual([false, 'SUBSCRIPTION_EXPIRED'])
    }
    server.scripts.clear()
    server.received.length = 0
    expect((await client.upgrade('MORE')).user).toEqual(client.session?.user)
    expect([client.isValid(), client.lost]).toEqual([true, undefined])
    await expect.poll(() => server.calls.length).toBeGreaterThan(2)
    expect(new Set(server.calls)).toEqual(new Set(['upgrade', 'heartbeat']))
    expect(lost).toEqual(['SUBSCRIPTION_EXPIRED'])
    await client.close()
  })

  test.each(['USER_BANNED', 'LICENSE_BANNED', 'SUBSCRIPTION_PAUSED', 'SESSION_REPLACED'])(
    '%s is final: an upgrade asks nothing',
    async (code) => {
      const { server, client } = await signedIn()
      server.next.set('heartbeat', [{ status: 403, code }])
      expect(await codeOf(client.heartbeat())).toBe(code)
      expect(await codeOf(client.upgrade('MORE'))).toBe(code)
      expect(server.calls).toEqual(['heartbeat'])
    },
  )

  test('that lost the session lets the program sign in again', async () => {
    const { server, client, tokens } = await signedIn()
    server.next.set('heartbeat', [{ status: 401, code: 'SESSION_REPLACED' }])
    expect(await codeOf(client.heartbeat())).toBe('SESSION_REPLACED')
    await client.license('KEY')
    expect([client.isValid(), client.lost, tokens('logout')]).toEqual([true, undefined, []])
  })

  test('that comes after logging out is reported to nobody', async () => {
    const { server, client, lost } = await signedIn()
    server.scripts.set('heartbeat', { status: 403, code: 'USER_BANNED' })
    const outcomes = await logOutDuring(() => client.heartbeat(), { server, client })
    expect(outcomes).toEqual(['USER_BANNED', 'accepted'])
    expect(lost).toEqual([])
  })

  test('of logging out is none if the session is gone', async () => {
    for (const code of ['SESSION_EXPIRED', 'SESSION_ENDED', 'SESSION_REPLACED']) {
      const { server, client } = await signedIn()
      server.scripts.set('logout', { status: 401, code })
      await client.logout()
      expect(client.isValid()).toBe(false)
    }
    const { server, client } = await signedIn()
    server.scripts.set('logout', { status: 503, code: 'MAINTENANCE' })
    expect(await codeOf(client.logout())).toBe('MAINTENANCE')
    expect([client.isValid(), client.session]).toEqual([false, undefined])
  })
})

test('a call may correct the clock once and repeat a lost answer once, each by itself', async () => {
  const server = new ScriptedServer()
  const client = server.client()
  server.scripts.set('init', { status: 400, code: 'CLOCK_SKEW' })
  expect(await codeOf(client.init())).toBe('CLOCK_SKEW')
  server.scripts.set('init', { status: 409, code: 'NONCE_REUSED' })
  expect(await codeOf(client.init())).toBe('NONCE_REUSED')
  expect(server.calls).toHaveLength(4)
  server.scripts.clear()
  server.next.set('init', [
    { status: 400, code: 'CLOCK_SKEW' },
    { status: 409, code: 'NONCE_REUSED' },
  ])
  await client.init()
  expect(server.calls).toHaveLength(7)
  server.scripts.set('license', { status: 409, code: 'NONCE_REUSED' })
  expect(await codeOf(client.license('KEY'))).toBe('NONCE_REUSED')
  expect(server.calls).toHaveLength(8)
})
