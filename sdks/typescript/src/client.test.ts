import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMailServer, turnMailOn } from '../../../testing/servers/mail-server.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../../../testing/people/people.ts'
import { keepSignedIn } from '../../../testing/platform.ts'
import { clientOptions, sdkClient } from '../../../testing/people/sdk-client.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { startReceiver } from '../../../testing/servers/webhook-receiver.ts'
import { Client, RejectedError, SignetError } from './client.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

const newKey = async (): Promise<string> => (await newLicenses(owner, 1))[0] ?? ''
const rejection = (call: Promise<unknown>): Promise<RejectedError> =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => (error instanceof RejectedError ? error : Promise.reject(error)),
  )
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof SignetError ? error.code : Promise.reject(error)),
  )

describe.each([false, true])('with sealRequests %s', (sealRequests) => {
  test('a program signs in with a key, sends a heartbeat, and signs out', async () => {
    const client = await sdkClient(app, owner, { sealRequests })
    const key = await newKey()
    expect(await client.init()).toEqual({ name: owner.appName, version: '1.0.0', webloaderUrl: null })
    expect(client.isValid()).toBe(false)
    const { user, expiresAt } = await client.license(key)
    expect(user).toMatchObject({ username: key, email: null, subscriptions: [{ level: 1, name: 'Basic' }] })
    expect(user.subscriptions[0]?.expiresAt?.getTime()).toBe((app.now() + 30 * 86_400) * 1000)
    expect(expiresAt.getTime()).toBeGreaterThan(app.services.clock())
    expect(client.isValid()).toBe(true)
    expect((await client.heartbeat()).user).toEqual(user)
    await client.logout()
    expect(client.isValid()).toBe(false)
    expect(await codeOf(client.heartbeat())).toBe('SESSION_REQUIRED')
  })

  test('a user registers with a key and signs in again', async () => {
    const client = await sdkClient(app, owner, { sealRequests })
    const name = `Zoë ${sealRequests}`
    const session = await client.register(name, 'Password-of-Zoë', await newKey(), 'zoe@example.com')
    expect(session.user).toMatchObject({ username: name, email: 'zoe@example.com' })
    await client.close()
    expect(await codeOf(client.login(name, 'Another-password'))).toBe('INVALID_CREDENTIALS')
    expect((await client.login(name, 'Password-of-Zoë')).user.username).toBe(name)
  })
})

test('sealed requests reveal nothing of their content', async () => {
  const sent: string[] = []
  const key = await newKey()
  const client = await sdkClient(app, owner, {
    sealRequests: true,
    fetch: (url, init) => {
      sent.push(Buffer.from(init.body as Uint8Array).toString('latin1'))
      return fetch(url, init)
    },
  })
  await client.license(key)
  expect(sent).toHaveLength(2)
  expect(sent.join()).not.toContain(key)
})

describe('a rejection', () => {
  test("has its code, status, request ID and the server's other fields", async () => {
    const client = await sdkClient(app, owner)
    const error = await rejection(client.license('NO-SUCH-KEY'))
    expect(error).toMatchObject({
      code: 'LICENSE_NOT_FOUND',
      message: 'License not found',
      status: 404,
      isTemporary: false,
      requestId: expect.any(String),
    })
    const settings = { autoUpdateDownloadLink: 'https://example.com/new' }
    await owner.visitor.call('POST /update_app', { body: { settings } })
    const old = await sdkClient(app, owner, { version: '0.9' })
    const outdated = await rejection(old.init())
    expect(outdated).toMatchObject({ code: 'VERSION_OUTDATED', downloadUrl: 'https://example.com/new' })
  })

  test('ends the session from the next heartbeat, such as for a ban', async () => {
    const client = await sdkClient(app, owner)
    const key = await newKey()
    await client.license(key)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
    expect(client.isValid()).toBe(true)
    const error = await rejection(client.heartbeat())
    expect(error.code).toBe('LICENSE_BANNED')
    expect(client.lost).toBe(error)
    expect(client.isValid()).toBe(false)
    expect(await codeOf(client.heartbeat())).toBe('LICENSE_BANNED')
  })
})

test("the server calls a webhook with the program's parameters and returns its reply", async () => {
  const receiver = await startReceiver(app)
  receiver.answer = (response, { body }) => void response.writeHead(202).end(`got ${body}`)
  const made = await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, authenticated: false } })
  const client = await sdkClient(app, owner)
  const answer = await client.callWebhook(made.body.webhookId, { text: 'Olá 🦊' })
  expect(answer).toEqual({ status: 202, body: 'got {"text":"Olá 🦊"}' })
  expect(await codeOf(client.callWebhook('wh_AAAAAAAAAAAA'))).toBe('NOT_SIGNED_IN')
  await receiver.close()
})

test('reads and writes variables of the app and the user, adds a license, and changes a password', async () => {
  const modify = (variableName: string, authenticated: boolean) =>
    owner.visitor.send('POST', '/api/1.0/website/modify_app_var', {
      body: { variableName, variableData: `${variableName} 🦊`, authenticated },
    })
  await modify('open', false)
  await modify('closed', true)
  const client = await sdkClient(app, owner)
  expect(await client.variable('open')).toBe('open 🦊')
  expect(await codeOf(client.variable('closed'))).toBe('NOT_SIGNED_IN')
  expect(await codeOf(client.userVariable('theme'))).toBe('SESSION_REQUIRED')

  const before = await client.register('Customer of all calls', 'Password-of-user', await newKey())
  expect(await client.variable('closed')).toBe('closed 🦊')
  expect(await codeOf(client.userVariable('theme'))).toBe('VARIABLE_NOT_FOUND')
  await client.setUserVariable('theme', 'dark')
  expect(await client.userVariable('theme')).toBe('dark')

  const after = await client.upgrade(await newKey())
  const end = (session: typeof before) => session.user.subscriptions[0]?.expiresAt?.getTime() ?? 0
  expect(end(after) - end(before)).toBe(30 * 86_400_000)
  expect(client.session).toEqual(after)

  expect(await codeOf(client.changePassword('wrong', 'Another-password'))).toBe('INVALID_CREDENTIALS')
  await client.changePassword('Password-of-user', 'Another-password')
  expect(client.isValid()).toBe(true)
  const again = await sdkClient(app, owner)
  expect((await again.login('Customer of all calls', 'Another-password')).user.username).toBe('Customer of all calls')
})

test('a customer whose time has ended renews in the running program, and when the program starts', async () => {
  const [first, second, third] = [await newKey(), await newKey(), await newKey()]
  const expire = async (licenseKey: string) => {
    await owner.visitor.send('POST', '/api/1.0/website/update_license', { body: { licenseKey, expiry: 1 } })
    app.advance(2)
  }
  const client = await sdkClient(app, owner)
  await client.register('Customer who renews', 'Password-of-user', first)
  await expire(first)
  expect(await codeOf(client.heartbeat())).toBe('SUBSCRIPTION_EXPIRED')
  expect(await codeOf(client.upgrade(first))).toBe('LICENSE_ALREADY_USED')
  await client.upgrade(second)
  expect(client.isValid()).toBe(true)
  expect((await client.heartbeat()).user.subscriptions).toHaveLength(1)
  await expire(second)
  const again = await sdkClient(app, owner)
  expect(await codeOf(again.login('Customer who renews', 'Password-of-user'))).toBe('SUBSCRIPTION_EXPIRED')
  const session = await again.login('Customer who renews', 'Password-of-user', { licenseKey: third })
  expect(session.user.subscriptions[0]?.expiresAt?.getTime()).toBeGreaterThan(Date.now())
})

test('a user who forgot the password gets a link by mail, if the server sends mail', async () => {
  const user = await sdkClient(app, owner)
  await user.register('Forgetful customer', 'Password-of-user', await newKey(), 'ana@example.com')
  const client = await sdkClient(app, owner)
  expect(await codeOf(client.requestPasswordReset('Forgetful customer'))).toBe('MAIL_OFF')
  const server = await startMailServer()
  await turnMailOn(app, server)
  await client.requestPasswordReset('Forgetful customer')
  await client.requestPasswordReset('Nobody')
  await app.jobsDone()
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([['ana@example.com']])
  await turnMailOn(app, server, { enabled: false })
  await server.close()
})

test('a log message is stored before the reply, before and after sign-in', async () => {
  const client = await sdkClient(app, owner)
  await client.log('starting 🦊')
  const key = await newKey()
  await client.license(key)
  await client.log('running')
  expect(await codeOf(client.log('x'.repeat(1001)))).toBe('LOG_MESSAGE_TOO_LONG')
  expect(client.isValid()).toBe(true)
  const { body } = await owner.visitor.call('GET /logs', { query: { call: 'message' } })
  expect(body.logs.map(({ message, credential }) => [message, credential])).toEqual([
    ['running', key],
    ['starting 🦊', ''],
  ])
})

test('an old init is repeated at sign-in', async () => {
  const client = await sdkClient(app, owner)
  const key = await newKey()
  await client.init()
  app.advance(2 * 86_400)
  expect((await client.license(key)).user.username).toBe(key)
})

describe('the clock', () => {
  test.each([-86_400, 86_400, -90, 90, -50])('is corrected on a machine that is %s s off', async (seconds) => {
    const client = await sdkClient(app, owner, { clock: () => app.services.clock() + seconds * 1000 })
    await client.license(await newKey())
    expect(client.isValid()).toBe(true)
    await client.heartbeat()
  })

  test("a stale reply doesn't repeat a call that could redeem a key", async () => {
    let ahead = 0
    const calls: string[] = []
    const client = await sdkClient(app, owner, {
      clock: () => app.services.clock() + ahead,
      fetch: (url, init) => {
        calls.push(url.split('/').at(-1) ?? '')
        return fetch(url, init)
      },
    })
    await client.init()
    ahead = 90_000
    expect(await codeOf(client.license(await newKey()))).toBe('STALE_RESPONSE')
    expect(calls).toEqual(['init', 'license'])
  })
})

describe('a signed 429', () => {
  beforeEach(() => void (app.services.config.limits.programStartsPerMinute = 2))
  afterEach(() => void (app.services.config.limits.programStartsPerMinute = 1e9))

  test('is thrown at once, with the time to wait', async () => {
    const client = await sdkClient(app, await newOwnerWithApp(app))
    await client.init()
    await client.init()
    const error = await rejection(client.init())
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, isTemporary: true, retryAfterSeconds: 60 })
  })
})

test('concurrent calls are sent one after another', async () => {
  let running = 0
  let most = 0
  const client = await sdkClient(app, owner, {
    fetch: async (url, init) => {
      most = Math.max(most, ++running)
      return fetch(url, init).finally(() => running--)
    },
  })
  const key = await newKey()
  await Promise.all([client.license(key), client.heartbeat(), client.heartbeat(), client.logout()])
  expect(most).toBe(1)
})

describe('creating a client rejects', () => {
  test.each<[string, object]>([
    ['an owner id', { ownerId: 'short' }],
    ['no name', { appName: '' }],
    ['a name that is no text', { appName: '\ud800' }],
    ['a root key of small order', { verificationKey: `AQ${'A'.repeat(41)}` }],
    ['a sealing key of small order', { sealingKey: 'A'.repeat(43) }],
    ['a key with a typing error', { verificationKey: 'A'.repeat(42) }],
    ['an address with a path', { serverUrl: 'https://example.com/api' }],
    ['an address with a name in it', { serverUrl: 'https://a:b@example.com' }],
    ['another scheme', { serverUrl: 'ftp://example.com' }],
    ['no address', { serverUrl: 'example.com' }],
    ['http:// to another computer', { serverUrl: 'http://signet.example.com' }],
    ['http:// to a name that begins like this computer', { serverUrl: 'http://127.0.0.1.example.com' }],
    ['an address with a line end', { serverUrl: 'https://example.com\n' }],
    ['an address with a query', { serverUrl: 'https://example.com?' }],
    ['no version', { version: '' }],
    ['another language', { language: 'de' }],
    ['an empty hardware ID', { hwid: '' }],
    ['a program hash that is none', { programHash: 'abc' }],
    ['no time', { timeoutSeconds: 0 }],
    ['endless grace', { graceSeconds: Number.NaN }],
    ['heartbeats of years', { heartbeatSeconds: 1e9 }],
  ])('%s', async (_, change) => {
    const options = await clientOptions(app, owner)
    expect(() => new Client(options)).not.toThrow()
    expect(() => new Client({ ...options, ...change })).toThrow(
      expect.objectContaining({ name: 'SignetError', code: 'INVALID_CONFIGURATION' }),
    )
  })
})
