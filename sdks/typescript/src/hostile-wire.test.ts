import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInGroup } from '../../../src/protocol/group-signature.ts'
import { issueCertificate } from '../../../src/protocol/key-certificate.ts'
import { rawPublicBytes } from '../../../src/protocol/raw-keys.ts'
import { replyMessage } from '../../../src/protocol/reply-message.ts'
import { requestHash } from '../../../src/protocol/request-hash.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../../../testing/people/people.ts'
import { sdkClient } from '../../../testing/people/sdk-client.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { SignetError, UnverifiedError } from './client.ts'
import { Deadline } from './deadline.ts'
import { Exchange } from './exchange.ts'

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
const tooMany = '{"success":false,"message":"","code":"RATE_LIMITED","retryAfterSeconds":60}'
const yes =
  '{"success":true,"message":"","expiresAt":4000000000,"user":{"username":"x","email":null,"subscriptions":[]}}'

test.each<[string, string, Tamper]>([
  ['no signature', 'UNSIGNED_RESPONSE', without('x-signet-signature')],
  ['no certificate', 'UNSIGNED_RESPONSE', without('x-signet-certificate')],
  ['a page of a proxy', 'UNSIGNED_RESPONSE', () => ({ status: 200, headers: new Headers(), body: '<html>' })],
  ['a redirect', 'UNSIGNED_RESPONSE', () => ({ status: 302, headers: new Headers({ location: '/' }), body: '' })],
  ['an unsigned yes', 'UNSIGNED_RESPONSE', () => ({ status: 200, headers: new Headers(), body: yes })],
  ['an unsigned 429', 'UNSIGNED_RESPONSE', () => ({ status: 429, headers: new Headers(), body: tooMany })],
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
  expect(error).toBeInstanceOf(UnverifiedError)
  expect(error).toMatchObject({ code })
  expect(client.isValid()).toBe(false)
  expect(client.session).toBeUndefined()
})

test("a rejection can't be turned into a success, and a reply can't be used for another call", async () => {
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

test("redirects aren't followed, not even to the right server", async () => {
  const heard: string[] = []
  const elsewhere = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    response.writeHead(307, { location: app.url + request.url }).end()
    request.resume()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  try {
    const serverUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    const client = await sdkClient(app, owner, { serverUrl })
    await expect(client.init()).rejects.toMatchObject({ code: 'UNSIGNED_RESPONSE' })
    expect(client.session).toBeUndefined()
    expect(heard).toEqual(['POST /api/1.0/client/init'])
  } finally {
    await new Promise((resolve) => elsewhere.close(resolve))
  }
})

test('a signed success counts only with status 200', async () => {
  const [root, key] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const now = 1_800_000_000
  const kid = 'k1'
  const issued = {
    rootKey: root.privateKey,
    kid,
    publicKey: key.publicKey,
    serial: 1,
    notBefore: now,
    notAfter: now + 1,
  }
  const certificate = issueCertificate(issued)
  const body = '{"success":true,"value":"of another status"}'
  const serverTime = String(now * 1000)
  const signed = async (url: string, init: RequestInit, status: number) => {
    const headers = new Headers(init.headers)
    const sent = (name: string) => headers.get(`x-signet-${name}`) ?? ''
    const request = { path: new URL(url).pathname, app: sent('app'), nonce: sent('nonce'), time: sent('time') }
    const hash = requestHash({ ...request, body: init.body as Uint8Array })
    const message = replyMessage({ app: request.app, kid, requestHash: hash, serverTime, status, body })
    const { signature } = await signInGroup(key.privateKey, message)
    const signatures = { key: kid, time: serverTime, signature, certificate }
    const named = Object.entries(signatures).map(([name, value]): [string, string] => [`x-signet-${name}`, value])
    return new Response(body, { status, headers: named })
  }
  const ask = (status: number) =>
    new Exchange({
      serverUrl: 'https://signet.test',
      app: 'an-app',
      verificationKey: new Uint8Array(rawPublicBytes(root.publicKey)),
      sealTo: undefined,
      timeoutSeconds: 10,
      fetch: (url, init) => signed(url, init, status),
      clock: () => now * 1000,
    }).call('variable', {}, undefined, new Deadline(60))
  expect(await ask(200)).toMatchObject({ value: 'of another status' })
  for (const status of [201, 203, 400, 500])
    await expect(ask(status), String(status)).rejects.toMatchObject({ code: 'MALFORMED_REPLY' })
})

test("replies of another app aren't trusted", async () => {
  const foreign = await newOwnerWithApp(app)
  const { settings } = (await foreign.visitor.call('GET /apps')).body.apps[0] ?? {}
  const client = await sdkClient(app, owner, { verificationKey: settings?.serverObfuscationKey ?? '' })
  await expect(client.init()).rejects.toMatchObject({ code: 'UNKNOWN_KEY' })
})

test("a reply over 1 MiB isn't read to its end", async () => {
  const client = await tampered('init', (reply) => ({ ...reply, body: ' '.repeat(1024 * 1024 + 1) }))
  await expect(client.init()).rejects.toMatchObject({ code: 'NETWORK' })
})

test("an unsigned rejection doesn't end the session", async () => {
  const body = '{"success":false,"message":"no","code":"LICENSE_BANNED","requestId":"r"}'
  const client = await tampered('heartbeat', () => ({ status: 403, headers: new Headers(), body }))
  const [key = ''] = await newLicenses(owner, 1)
  await client.license(key)
  await expect(client.heartbeat()).rejects.toMatchObject({ code: 'UNSIGNED_RESPONSE' })
  expect(client.isValid()).toBe(true)
  expect(client.lost).toBeUndefined()
})

test('without a reply, the same bytes are sent once more, and count once', async () => {
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

test('an unreachable server is a NETWORK error, and every error of the client is a SignetError', async () => {
  const client = await sdkClient(app, owner, { serverUrl: 'http://127.0.0.1:9' })
  const error: unknown = await client.init().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SignetError)
  expect(error).toMatchObject({ code: 'NETWORK', name: 'UnverifiedError' })
})
