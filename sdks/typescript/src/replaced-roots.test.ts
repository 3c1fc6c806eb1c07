import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { ReplyChecker } from './check-reply.ts'
import { signedBytes } from './merkle-path.ts'
import { publicKeyFromRaw } from './public-keys.ts'
import { lengthPrefixed, replyMessage, requestHash } from './wire.ts'

/** How a client follows replaced root keys from reply to reply; one certificate by itself is in announcements.json. */

const pair = () => generateKeyPairSync('ed25519')
const rawOf = (key: KeyObject) => key.export({ format: 'jwk' }).x as string
const [first, second, third] = [pair(), pair(), pair()]
const pinned = await publicKeyFromRaw('ed25519', rawOf(first.publicKey))
const now = 1_750_000_000_000
const request = {
  path: '/api/1.0/client/heartbeat',
  app: 'Ab3dE6gH1j/App',
  nonce: 'a'.repeat(22),
  time: String(now),
  session: undefined,
  body: new Uint8Array([123, 125]),
}

function signed(purpose: string, fields: object, { privateKey }: { privateKey: KeyObject }): string {
  const payload = Buffer.from(JSON.stringify({ v: 1, ...fields }))
  const signature = sign(null, lengthPrefixed(purpose, payload), privateKey)
  return `${payload.toString('base64url')}.${signature.toString('base64url')}`
}
const announcement = (by: ReturnType<typeof pair>, next: ReturnType<typeof pair>) =>
  signed('signet/v1/root', { root: rawOf(next.publicKey) }, by)

const signing = pair()
const period = { notBefore: now / 1000 - 600, notAfter: now / 1000 + 3600 }
const certified = (by: ReturnType<typeof pair>, serial = 7) =>
  signed('signet/v1/key', { kid: 'k1', key: rawOf(signing.publicKey), serial, ...period }, by)

async function replyWith(certificate: string, { serverTime = now, key = signing } = {}) {
  const body = new Uint8Array(Buffer.from('{"success":true}'))
  const hash = await requestHash(request)
  const time = String(serverTime)
  const message = await replyMessage({
    app: request.app,
    kid: 'k1',
    requestHash: hash,
    serverTime: time,
    status: 200,
    body,
  })
  const bytes = (await signedBytes(message, '')) as Uint8Array
  const headers = {
    'x-signet-key': 'k1',
    'x-signet-time': time,
    'x-signet-signature': sign(null, bytes, key.privateKey).toString('base64url'),
    'x-signet-certificate': certificate,
  }
  return { status: 200, headers, body }
}

const check = async (checker: ReplyChecker, ...reply: Parameters<typeof replyWith>) =>
  checker.check(request, await replyWith(...reply), now).then(
    () => 'accepted',
    ({ code }: { code: string }) => code,
  )
const announced = `${announcement(first, second)}.${certified(second)}`

test('a root key that was replaced counts no more, whatever its certificate says', async () => {
  const checker = new ReplyChecker(pinned)
  expect(await check(checker, certified(first))).toBe('accepted')
  expect(await check(checker, announced)).toBe('accepted')
  for (const certificate of [
    certified(first),
    certified(first, 1000),
    `${announcement(first, third)}.${certified(third)}`,
  ])
    expect(await check(checker, certificate)).toBe('UNKNOWN_KEY')
  expect(await check(checker, announced)).toBe('accepted')
  expect(await check(checker, certified(second, 8))).toBe('accepted')
})

test('an announced root key can announce the next one, in a later reply', async () => {
  const checker = new ReplyChecker(pinned)
  expect(await check(checker, announced)).toBe('accepted')
  const next = announcement(second, third)
  expect(await check(checker, `${announcement(first, second)}.${next}.${certified(third)}`)).toBe('accepted')
  expect(await check(checker, certified(second))).toBe('UNKNOWN_KEY')
})

test('a reply that fails any check replaces no root key', async () => {
  const checker = new ReplyChecker(pinned)
  expect(await check(checker, announced, { key: third })).toBe('BAD_SIGNATURE')
  expect(await check(checker, announced, { serverTime: now - 61_000 })).toBe('STALE_RESPONSE')
  expect(await check(checker, announced, { serverTime: now + 7_200_000 })).toBe('UNKNOWN_KEY')
  expect(await check(checker, certified(first))).toBe('accepted')
})

test('of replies that are checked at once, none is accepted under a root key that another one has replaced', async () => {
  for (let round = 0; round < 20; round++) {
    const checker = new ReplyChecker(pinned)
    const replies = await Promise.all(
      [announced, certified(first), announced, certified(first)].map((each) => replyWith(each)),
    )
    await Promise.allSettled(replies.map((reply) => checker.check(request, reply, now)))
    expect(await check(checker, certified(first))).toBe('UNKNOWN_KEY')
    expect(await check(checker, announced)).toBe('accepted')
  }
})
