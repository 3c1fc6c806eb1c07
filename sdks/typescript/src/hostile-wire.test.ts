import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../../../testing/people.ts'
import { sdkClient } from '../../../testing/sdk-client.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { SignetError, UnprovenError } from './client.ts'

/** A wire that is not honest never gets a yes past the client. */
let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

interface Reply {
  status: number
  headers: Headers
  body: string
}
type Tamper = (reply: Reply) => Reply | Promise<Reply>

const replyOf = async (response: Response): Promise<Reply> => ({
  status: response.status,
  headers: new Headers(response.headers),
  body: await response.text(),
})

/** A client whose answers to one call go through the hands of somebody else. */
async function tampered(call: string, tamper: Tamper) {
  return sdkClient(app, owner, {
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (!url.endsWith(`/${call}`)) return response
      const { status, headers, body } = await tamper(await replyOf(response))
      return new Response(body, { status, headers })
    },
  })
}

const without =
  (name: string): Tamper =>
  (reply) => {
    reply.headers.delete(name)
    return reply
  }
const withHeader =
  (name: string, value: string): Tamper =>
  (reply) => {
    reply.headers.set(name, value)
    return reply
  }
const yes =
  '{"success":true,"message":"","expiresAt":4000000000,"user":{"username":"x","email":null,"subscriptions":[]}}'

test.each<[string, string, Tamper]>([
  ['no signature', 'UNSIGNED_RESPONSE', without('x-signet-signature')],
  ['no certificate', 'UNSIGNED_RESPONSE', without('x-signet-certificate')],
  ['a page of a proxy', 'UNSIGNED_RESPONSE', () => ({ status: 200, headers: new Headers(), body: '<html>' })],
  ['a redirect', 'UNSIGNED_RESPONSE', () => ({ status: 302, headers: new Headers({ location: '/' }), body: '' })],
  ['an unsigned yes', 'UNSIGNED_RESPONSE', () => ({ status: 200, headers: new Headers(), body: yes })],
  ['another body', 'BAD_SIGNATURE', (reply) => ({ ...reply, body: yes })],
  ['a byte more', 'BAD_SIGNATURE', (reply) => ({ ...reply, body: `${reply.body} ` })],
  ['another status', 'BAD_SIGNATURE', (reply) => ({ ...reply, status: 201 })],
  ['another time', 'BAD_SIGNATURE', withHeader('x-signet-time', '1750000000000')],
  ['a path of nobody', 'BAD_SIGNATURE', withHeader('x-signet-path', 'A'.repeat(44))],
  ['another key', 'UNKNOWN_KEY', withHeader('x-signet-key', 'k2')],
  ['no certificate in the certificate', 'UNKNOWN_KEY', withHeader('x-signet-certificate', 'AAAA.AAAA')],
])('%s is %s', async (_, code, tamper) => {
  const client = await tampered('license', tamper)
  const [key = ''] = await newLicenses(owner, 1)
  const error: unknown = await client.license(key).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UnprovenError)
  expect(error).toMatchObject({ code })
  expect(client.isValid()).toBe(false)
  expect(client.session).toBeUndefined()
})

test('a refusal can not be turned into a yes, nor an answer be used for another call', async () => {
  let last: Reply | undefined
  const client = await tampered('heartbeat', (reply) => {
    const earlier = last
    last ??= reply
    return earlier ?? reply
  })
  const [key = ''] = await newLicenses(owner, 1)
  await client.license(key)
  await client.heartbeat()
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  await expect(client.heartbeat()).rejects.toMatchObject({ code: 'BAD_SIGNATURE' })
})

test("another app's server is not believed", async () => {
  const foreign = await newOwnerWithApp(app)
  const { settings } = (await foreign.visitor.call('GET /apps')).body.apps[0] ?? {}
  const client = await sdkClient(app, owner, { serverObfuscationKey: settings?.serverObfuscationKey ?? '' })
  await expect(client.init()).rejects.toMatchObject({ code: 'UNKNOWN_KEY' })
})

test('an answer of more than 1 MiB is not read to its end', async () => {
  const client = await tampered('init', (reply) => ({ ...reply, body: ' '.repeat(1024 * 1024 + 1) }))
  await expect(client.init()).rejects.toMatchObject({ code: 'NETWORK' })
})

test('an unsigned no ends no session', async () => {
  const body = '{"success":false,"message":"no","code":"LICENSE_BANNED","requestId":"r"}'
  const client = await tampered('heartbeat', () => ({ status: 403, headers: new Headers(), body }))
  const [key = ''] = await newLicenses(owner, 1)
  await client.license(key)
  await expect(client.heartbeat()).rejects.toMatchObject({ code: 'UNSIGNED_RESPONSE' })
  expect(client.isValid()).toBe(true)
  expect(client.lost).toBeUndefined()
})

test('where no answer came the same bytes are sent once more, and count once', async () => {
  const bodies: unknown[] = []
  const nonces: unknown[] = []
  const client = await sdkClient(app, owner, {
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/license')) return response
      bodies.push(init.body)
      nonces.push((init.headers as Record<string, string>)['x-signet-nonce'])
      if (bodies.length === 1) throw new TypeError('fetch failed')
      return response
    },
  })
  const [key = ''] = await newLicenses(owner, 1)
  await expect(client.license(key)).rejects.toMatchObject({ code: 'NONCE_REUSED' })
  expect(bodies[0]).toBe(bodies[1])
  expect(nonces[0]).toBe(nonces[1])
})

test('a server that is not there is a NETWORK error, like everything a client throws a SignetError', async () => {
  const client = await sdkClient(app, owner, { serverUrl: 'http://127.0.0.1:9' })
  const error: unknown = await client.init().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SignetError)
  expect(error).toMatchObject({ code: 'NETWORK', name: 'UnprovenError' })
})
