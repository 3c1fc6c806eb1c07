import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkReply, ReplyRefused } from './check-reply.ts'
import { publicKeyFromRaw } from './public-keys.ts'

const vectors = JSON.parse(readFileSync(new URL('../../vectors/replies.json', import.meta.url), 'utf8')) as {
  rootPublicKey: string
  now: number
  request: { path: string; app: string; nonce: string; time: string; session: string; body: string }
  cases: {
    name: string
    highestSerial: number
    status: number
    headers: Record<string, string>
    body: string
    outcome: string
  }[]
}

const bytes = (encoded: string) => Buffer.from(encoded, 'base64url')
const request = { ...vectors.request, body: bytes(vectors.request.body) }
const rootPublicKey = publicKeyFromRaw('ed25519', vectors.rootPublicKey)
const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

test.each(vectors.cases)('reply: $name gives $outcome', ({ status, headers, body, highestSerial, outcome }) => {
  const trust = { rootPublicKey, highestSerial, now: vectors.now }
  let seen = 'accepted'
  try {
    checkReply(request, { status, headers: lowerCase(headers), body: bytes(body) }, trust)
  } catch (error) {
    if (!(error instanceof ReplyRefused)) throw error
    seen = error.code
  }
  expect(seen).toBe(outcome)
})

test('gives the server time, and a serial that never falls', () => {
  const [{ status, headers, body }] = vectors.cases as [(typeof vectors.cases)[number]]
  const reply = { status, headers: lowerCase(headers), body: bytes(body) }
  const serverTime = Number(headers['X-Signet-Time'])
  for (const [highestSerial, after] of [
    [0, 7],
    [8, 8],
  ] as const) {
    const accepted = checkReply(request, reply, { rootPublicKey, highestSerial, now: vectors.now })
    expect(accepted).toEqual({ serverTime, highestSerial: after })
  }
})
