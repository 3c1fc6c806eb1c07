import { createPublicKey, sign } from 'node:crypto'
import { lengthPrefixed } from '#protocol/length-prefixed.ts'
import { leafHash, pathStep } from '#protocol/merkle-tree.ts'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { generation, otherRootKey, rootKey, signingKeys, strangerKey } from '../server/identity.ts'
import { failureOf } from '../server/model.ts'
import type { Exchange, Script } from '../server/scripted-server.ts'
import { headerOf, type WireReply, withHeader, withoutHeader, withSecond } from '../server/signed-reply.ts'

const scenario = scenariosOf('hostile')

type Tampered = [name: string, script: Script, expected: string]

const key = 'x-signet-key'
const time = 'x-signet-time'
const signature = 'x-signet-signature'
const certificate = 'x-signet-certificate'
const path = 'x-signet-path'

/** Changes the finished reply. */
const after =
  (change: (reply: WireReply, exchange: Exchange) => WireReply): Script =>
  (exchange) =>
    change(exchange.honest(), exchange)
const flip = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64url')
  const index = at < 0 ? bytes.length + at : at
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes.toString('base64url')
}
const replaced = (name: string, change: (value: string) => string): Script =>
  after((reply) => withHeader(reply, name, change(headerOf(reply, name))))
const body = (reply: WireReply, text: string | Buffer): WireReply => ({ ...reply, body: Buffer.from(text) })
/** The same bytes in another spelling: the last character has bits that no byte uses. */
const respelled = (text: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1) ?? '') + 1]
}
const banned = failureOf('LICENSE_BANNED')
const yes = { success: true, message: 'Done', expiresAt: 4_000_000_000, user: { username: 'x', subscriptions: [] } }
const second = (): number => Math.floor(Date.now() / 1000)

/** A certificate with this payload, signed by the right root key. */
const certified = (change: (payload: Record<string, unknown>) => object): Script =>
  after((reply) => {
    const [payload = ''] = headerOf(reply, certificate).split('.')
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const bytes = Buffer.from(JSON.stringify(change(fields)))
    const newSignature = sign(null, lengthPrefixed('signet/v1/key', bytes), rootKey)
    return withHeader(reply, certificate, `${bytes.toString('base64url')}.${newSignature.toString('base64url')}`)
  })

const unsigned: Tampered[] = [
  ...[key, time, signature, certificate].map((name): Tampered => [
    `no ${name}`,
    after((reply) => withoutHeader(reply, name)),
    'UNSIGNED_RESPONSE',
  ]),
  ['no header of a signature at all', after((reply) => ({ ...reply, headers: [] })), 'UNSIGNED_RESPONSE'],
]

const altered: Tampered[] = [
  ['a flipped bit in the signature', replaced(signature, (text) => flip(text, 10)), 'BAD_SIGNATURE'],
  ['a flipped bit in S', replaced(signature, (text) => flip(text, 40)), 'BAD_SIGNATURE'],
  ['the signature of zeros', replaced(signature, () => 'A'.repeat(86)), 'BAD_SIGNATURE'],
  ['a signature cut short', replaced(signature, (text) => text.slice(0, -4)), 'BAD_SIGNATURE'],
  ['a padded signature', replaced(signature, (text) => `${text}==`), 'BAD_SIGNATURE'],
  ['a signature with other unused bits', replaced(signature, respelled), 'BAD_SIGNATURE'],
  ['a certificate with other unused bits', replaced(certificate, respelled), 'UNKNOWN_KEY'],
  [
    'a side that is neither left nor right',
    ({ honest }) => {
      const reply = honest({ group: [2, 0] })
      const steps = Buffer.from(headerOf(reply, path), 'base64url')
      steps[0] = 2
      return withHeader(reply, path, steps.toString('base64url'))
    },
    'BAD_SIGNATURE',
  ],
  ['a time one millisecond later', replaced(time, (text) => String(Number(text) + 1)), 'BAD_SIGNATURE'],
  ['a time with a leading zero', replaced(time, (text) => `0${text}`), 'BAD_SIGNATURE'],
  ['another kid', replaced(key, () => 'k9'), 'UNKNOWN_KEY'],
  ['a kid in another case', replaced(key, (text) => text.toUpperCase()), 'UNKNOWN_KEY'],
  [
    'a flipped bit in the certificate',
    replaced(certificate, (text) => flip(text.split('.')[0] ?? '', 20)),
    'UNKNOWN_KEY',
  ],
  [
    "a flipped bit in the certificate's signature",
    replaced(certificate, (text) => `${text.split('.')[0]}.${flip(text.split('.')[1] ?? '', 5)}`),
    'UNKNOWN_KEY',
  ],
  ['a certificate that is no certificate', replaced(certificate, () => 'x'), 'UNKNOWN_KEY'],
  ['a path where there was none', replaced(path, () => pathStep(1, leafHash(Buffer.from('x')))), 'BAD_SIGNATURE'],
  [
    'a path of 10,000 steps',
    replaced(path, () => pathStep(1, leafHash(Buffer.from('x'))).repeat(300)),
    'BAD_SIGNATURE',
  ],
  ['a path that is not base64url', replaced(path, () => '!?'), 'BAD_SIGNATURE'],
  ['a space added to the body', after((reply) => body(reply, `${reply.body.toString()} `)), 'BAD_SIGNATURE'],
  ['an altered body', after((reply) => body(reply, reply.body.toString().replace('KEY-1', 'KEY-2'))), 'BAD_SIGNATURE'],
  ['an empty body', after((reply) => body(reply, '')), 'BAD_SIGNATURE'],
  [
    'a rejection turned into a success',
    ({ sign: signed }) => ({ ...body(signed(banned), JSON.stringify(yes)), status: 200 }),
    'BAD_SIGNATURE',
  ],
  [
    'the status of a rejection changed to 200',
    ({ sign: signed }) => ({ ...signed(banned), status: 200 }),
    'BAD_SIGNATURE',
  ],
  ['the status of a success changed to 403', after((reply) => ({ ...reply, status: 403 })), 'BAD_SIGNATURE'],
  ['the status of a success changed to 500', after((reply) => ({ ...reply, status: 500 })), 'BAD_SIGNATURE'],
  ['a second signature', after((reply) => withSecond(reply, signature, 'A'.repeat(86))), 'BAD_SIGNATURE'],
  ['a second time', after((reply) => withSecond(reply, time, '1')), 'BAD_SIGNATURE'],
  ['a second certificate', after((reply) => withSecond(reply, certificate, 'x')), 'UNKNOWN_KEY'],
  ['a second kid', after((reply) => withSecond(reply, key, 'k9')), 'UNKNOWN_KEY'],
]

const moved: Tampered[] = [
  ['an answer to another app', ({ honest }) => honest({ app: 'Ab3dE6gH1j/Other' }), 'BAD_SIGNATURE'],
  ['an answer to another nonce', ({ honest }) => honest({ nonce: 'A'.repeat(32) }), 'BAD_SIGNATURE'],
  [
    'an answer to another time',
    ({ honest, request }) => honest({ time: String(Number(request.time) + 1) }),
    'BAD_SIGNATURE',
  ],
  ['an answer to another session', ({ honest }) => honest({ session: 'A'.repeat(43) }), 'BAD_SIGNATURE'],
  ['an answer without the session', ({ honest }) => honest({ session: undefined }), 'BAD_SIGNATURE'],
  ['an answer to another path', ({ honest }) => honest({ path: '/api/1.0/client/login' }), 'BAD_SIGNATURE'],
  [
    'an answer to another body',
    ({ honest }) => honest({ requestBody: Buffer.from('{"key":"KEY-2"}') }),
    'BAD_SIGNATURE',
  ],
  [
    'the signature of another answer',
    ({ honest, sign: signed }) => withHeader(honest(), signature, headerOf(signed(banned), signature)),
    'BAD_SIGNATURE',
  ],
  [
    'the path of another answer',
    ({ honest }) => {
      const other = honest({ group: [5, 3] })
      return withHeader(honest({ group: [5, 2] }), path, headerOf(other, path))
    },
    'BAD_SIGNATURE',
  ],
  [
    'a group of which the path is missing',
    ({ honest }) => withoutHeader(honest({ group: [2, 0] }), path),
    'BAD_SIGNATURE',
  ],
]

const keys: Tampered[] = [
  [
    'a fake server with keys of its own',
    ({ honest }) => honest({ root: otherRootKey, signing: strangerKey, certified: strangerKey }),
    'UNKNOWN_KEY',
  ],
  ['a certificate by another root', ({ honest }) => honest({ root: otherRootKey }), 'UNKNOWN_KEY'],
  ['a certificate by the signing key itself', ({ honest }) => honest({ root: signingKeys[0] }), 'UNKNOWN_KEY'],
  ['a signature by a stranger', ({ honest }) => honest({ signing: strangerKey }), 'BAD_SIGNATURE'],
  ['a signature by the root key', ({ honest }) => honest({ signing: rootKey }), 'BAD_SIGNATURE'],
  ['a certificate of another kid', ({ honest }) => honest({ certificateKid: 'k2' }), 'UNKNOWN_KEY'],
  ['an ended certificate', ({ honest }) => honest({ notAfter: second() - 60 }), 'UNKNOWN_KEY'],
  ['a certificate of tomorrow', ({ honest }) => honest({ notBefore: second() + 86_400 }), 'UNKNOWN_KEY'],
  [
    'a certificate that ends half a second before the answer',
    ({ honest }) => honest({ notAfter: second(), serverTime: second() * 1000 + 500 }),
    'UNKNOWN_KEY',
  ],
  ['a certificate of version 2', certified((fields) => ({ ...fields, v: 2 })), 'UNKNOWN_KEY'],
  ['a certificate whose serial is text', certified((fields) => ({ ...fields, serial: '7' })), 'UNKNOWN_KEY'],
  ['a certificate whose end is a fraction', certified((fields) => ({ ...fields, notAfter: 4e9 + 0.5 })), 'UNKNOWN_KEY'],
  [
    'a certificate with a key of small order',
    certified((fields) => ({ ...fields, key: `AQ${'A'.repeat(41)}` })),
    'UNKNOWN_KEY',
  ],
  [
    'a certificate with an unreduced key',
    certified((fields) => ({ ...fields, key: Buffer.from(`f0${'ff'.repeat(30)}7f`, 'hex').toString('base64url') })),
    'UNKNOWN_KEY',
  ],
  [
    'a certificate for another purpose',
    after((reply) => {
      const payload = Buffer.from(headerOf(reply, certificate).split('.')[0] ?? '', 'base64url')
      const newSignature = sign(null, lengthPrefixed('signet/v1/response', payload), rootKey)
      return withHeader(reply, certificate, `${payload.toString('base64url')}.${newSignature.toString('base64url')}`)
    }),
    'UNKNOWN_KEY',
  ],
  [
    'a message signed without its tree',
    after((reply, { request }) => {
      const newSignature = sign(null, Buffer.from(request.nonce), signingKeys[0])
      return withHeader(reply, signature, newSignature.toString('base64url'))
    }),
    'BAD_SIGNATURE',
  ],
  [
    'the public key of the fake server in the place of the kid',
    ({ honest }) => honest({ signing: strangerKey, kid: rawPublicKey(createPublicKey(strangerKey)) }),
    'BAD_SIGNATURE',
  ],
]

const tampered: Scenario[] = [...unsigned, ...altered, ...moved, ...keys].map(([name, script, expected]) =>
  scenario(
    name,
    { guards: 'an answer that is not exactly the signed one signs nobody in', expected: `${expected}, not valid` },
    async (stage) => {
      stage.server.always('license', script)
      return `${await stage.outcome('license', { key: 'KEY-1' })}, ${await stage.valid()}`
    },
  ),
)

const recorded: Scenario[] = [
  scenario(
    'the recorded answer of an earlier heartbeat',
    { guards: 'an answer counts only for the request that it answers', expected: 'ok, BAD_SIGNATURE, valid, no event' },
    async (stage) => {
      await stage.signIn()
      let recordedReply: WireReply | undefined
      stage.server.always('heartbeat', ({ honest }) => (recordedReply ??= honest()))
      const outcomes = [await stage.outcome('heartbeat'), await stage.outcome('heartbeat')]
      return `${outcomes.join(', ')}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'the recorded answer to init, of another client',
    { guards: 'a recorded answer opens no session', expected: 'ok, BAD_SIGNATURE, not valid' },
    async (stage) => {
      let recordedReply: WireReply | undefined
      stage.server.always('init', ({ honest }) => (recordedReply ??= honest()))
      const first = await stage.outcome('init')
      await stage.ask('close')
      await stage.create()
      return `${first}, ${await stage.outcome('license', { key: 'KEY-1' })}, ${await stage.valid()}`
    },
  ),
  scenario(
    'the answer to init in the place of the sign-in',
    { guards: 'a success of another call is no success of this one', expected: 'BAD_SIGNATURE, not valid' },
    async (stage) => {
      let initReply: WireReply | undefined
      stage.server.always('init', ({ honest }) => (initReply = honest()))
      stage.server.always('license', ({ honest }) => initReply ?? honest())
      return `${await stage.outcome('license', { key: 'KEY-1' })}, ${await stage.valid()}`
    },
  ),
  scenario(
    'the recorded answer to another variable',
    { guards: 'the answer to one question is no answer to another', expected: 'ok, BAD_SIGNATURE' },
    async (stage) => {
      await stage.signIn()
      let recordedReply: WireReply | undefined
      stage.server.always('variable', ({ honest }) => (recordedReply ??= honest()))
      const first = await stage.outcome('variable', { name: 'greeting' })
      return `${first}, ${await stage.outcome('variable', { name: 'secret' })}`
    },
  ),
  scenario(
    'an old signing key after two rotations',
    {
      guards: 'a signing key that was replaced twice can not come back',
      expected: 'ok, ok, UNKNOWN_KEY, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      const outcomes: string[] = []
      for (const n of [1, 2, 0]) {
        stage.server.identity = generation(n)
        outcomes.push(await stage.outcome('heartbeat'))
      }
      return `${outcomes.join(', ')}, ${await stage.valid()}, ${stage.events()}`
    },
  ),
  scenario(
    'a high serial under a wrong signature',
    { guards: 'an unverified reply does not lock out the right key', expected: 'BAD_SIGNATURE, ok' },
    async (stage) => {
      await stage.signIn()
      stage.server.next('heartbeat', ({ honest }) => honest({ serial: 99, signing: strangerKey }))
      return `${await stage.outcome('heartbeat')}, ${await stage.outcome('heartbeat')}`
    },
  ),
  scenario(
    'a high serial in a stale reply',
    { guards: 'a reply of another time does not lock out the right key', expected: 'STALE_RESPONSE, ok' },
    async (stage) => {
      await stage.signIn()
      stage.server.next('log', ({ honest, server }) => honest({ serial: 99, serverTime: server.now() + 90_000 }))
      const first = await stage.outcome('log', { message: 'x' })
      return `${first}, ${await stage.outcome('heartbeat')}`
    },
  ),
  scenario(
    'a rejected certificate a second time',
    { guards: 'a certificate that was rejected is not cached as good', expected: 'UNKNOWN_KEY, UNKNOWN_KEY, ok' },
    async (stage) => {
      await stage.signIn()
      const fixed = { root: otherRootKey, notAfter: second() + 1000, notBefore: 0 }
      stage.server.next('heartbeat', ({ honest }) => honest(fixed), 2)
      const outcomes = [
        await stage.outcome('heartbeat'),
        await stage.outcome('heartbeat'),
        await stage.outcome('heartbeat'),
      ]
      return outcomes.join(', ')
    },
  ),
  scenario(
    'a cached certificate that has ended meanwhile',
    { guards: 'a cached certificate is still judged by its time', expected: 'ok, UNKNOWN_KEY' },
    async (stage) => {
      const notAfter = second() + 40
      const identity = { ...stage.server.identity, notAfter }
      stage.server.identity = identity
      await stage.signIn()
      const first = await stage.outcome('heartbeat')
      stage.server.always('heartbeat', ({ honest }) => honest({ serverTime: (notAfter + 1) * 1000 }))
      return `${first}, ${await stage.outcome('heartbeat')}`
    },
  ),
]

/** Nothing that is unverified may end a session, whatever it says. */
const page = (
  status: number,
  text: string,
  headers: [string, string][] = [['content-type', 'application/json']],
): Script => {
  return () => ({ status, headers, body: Buffer.from(text) })
}
const pages: [name: string, script: Script][] = [
  ['a 429 of a proxy', page(429, '{"success":false,"code":"RATE_LIMITED","message":"x"}', [['retry-after', '3600']])],
  ['a 404 of a missing app', page(404, JSON.stringify(failureOf('APP_NOT_FOUND').fields))],
  ['a 403 that says LICENSE_BANNED', page(403, JSON.stringify(banned.fields))],
  [
    'a 401 that says SESSION_ENDED',
    page(401, JSON.stringify(failureOf('SESSION_ENDED').fields), [['www-authenticate', 'Basic realm="x"']]),
  ],
  ['a 401 that says SESSION_EXPIRED', page(401, JSON.stringify(failureOf('SESSION_EXPIRED').fields))],
  ['a 407 of a proxy', page(407, 'x', [['proxy-authenticate', 'Basic realm="x"']])],
  ['a 502 page', page(502, '<html><h1>Bad gateway</h1>', [['content-type', 'text/html']])],
  ['a 503 page', page(503, 'x', [['retry-after', '1']])],
  ['a 200 of a hotel', page(200, '<html>Accept our terms', [['content-type', 'text/html']])],
  ['a 200 that says success', page(200, JSON.stringify(yes))],
  ['a 200 without a body', page(200, '')],
  ['a 204', page(204, '')],
  ['a 400 that says CLOCK_SKEW', page(400, JSON.stringify(failureOf('CLOCK_SKEW').fields), [[time, '1000000000000']])],
]
const unverified: Scenario[] = pages.map(([name, script]) =>
  scenario(
    `${name}, unsigned`,
    {
      guards: 'what is not signed neither ends a session nor renews it',
      expected: [
        'UNSIGNED_RESPONSE, valid, no event, 1 request, 0 renewals, then ok',
        // The fetch of browsers and of Node.js takes a 407 for a broken connection.
        ...(name.includes('407') ? ['NETWORK, valid, no event, 2 request, 0 renewals, then ok'] : []),
      ],
    },
    async (stage) => {
      await stage.signIn()
      stage.server.always('heartbeat', script)
      const got = await stage.outcome('heartbeat')
      const { server } = stage
      const counts = `${server.count('heartbeat')} request, ${server.count('renew')} renewals`
      const kept = `${await stage.valid()}, ${stage.events()}, ${counts}`
      server.beHonest()
      return `${got}, ${kept}, then ${await stage.outcome('heartbeat')}`
    },
  ),
)

export const hostileSignatureScenarios: Scenario[] = [...tampered, ...recorded, ...unverified]
