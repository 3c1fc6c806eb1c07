import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ReplyChecker } from './check-reply.ts'
import { publicKeyFromRaw } from './public-keys.ts'

const vectors = JSON.parse(readFileSync(new URL('../../vectors/replies.json', import.meta.url), 'utf8')) as {
  rootPublicKey: string
  now: number
  request: { path: string; app: string; nonce: string; time: string; session: string; body: string }
  cases: {
    status: number
    headers: Record<string, string>
    body: string
  }[]
}

const bytes = (encoded: string) => new Uint8Array(Buffer.from(encoded, 'base64url'))
const request = { ...vectors.request, body: bytes(vectors.request.body) }
const rootPublicKey = await publicKeyFromRaw('ed25519', vectors.rootPublicKey)
const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

test('returns the server time, and a serial that never decreases (R-CLI-07)', async () => {
  const [{ status, headers, body }] = vectors.cases as [(typeof vectors.cases)[number]]
  const reply = { status, headers: lowerCase(headers), body: bytes(body) }
  const serverTime = Number(headers['X-Signet-Time'])
  for (const [highestSerial, after] of [
    [0, 7],
    [8, 8],
  ] as const) {
    const checker = new ReplyChecker(rootPublicKey, highestSerial)
    expect(await checker.check(request, reply, vectors.now)).toBe(serverTime)
    expect(checker.highestSerial).toBe(after)
  }
})
