import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { signedBytes } from '#sdk/merkle-path.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { type GroupSignature, signInGroup } from './group-signature.ts'

const key = privateKeyFromSeed('ed25519', Buffer.alloc(32, 1))
const publicKey = createPublicKey(key)
const stepLength = 44
const messages = (count: number) => Array.from({ length: count }, (_, n) => Buffer.from(`reply ${n}`))

async function clientAccepts(message: Buffer, { signature, path }: GroupSignature): Promise<boolean> {
  const signed = await signedBytes(message, path)
  return signed !== undefined && verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))
}

test('a reply alone has no path', async () => {
  const [message] = messages(1) as [Buffer]
  const signed = await signInGroup(key, message)
  expect(signed.path).toBe('')
  expect(await clientAccepts(message, signed)).toBe(true)
})

test.each([2, 3, 5, 32, 100])(
  'of %i replies that are ready together all share one signature, and each fits its own only',
  async (count) => {
    const all = messages(count)
    const signed = await Promise.all(all.map((message) => signInGroup(key, message)))
    expect(new Set(signed.map(({ signature }) => signature)).size).toBe(1)
    expect(new Set(signed.map(({ path }) => path)).size).toBe(count)
    for (const [at, one] of signed.entries()) {
      expect(await clientAccepts(all[at] as Buffer, one)).toBe(true)
      expect(await clientAccepts(all[(at + 1) % count] as Buffer, one)).toBe(false)
    }
  },
)

test('many form several groups, none with a path above 8 steps', async () => {
  const all = messages(1000)
  const signed = await Promise.all(all.map((message) => signInGroup(key, message)))
  expect(new Set(signed.map(({ signature }) => signature)).size).toBe(4)
  for (const [at, one] of signed.entries()) {
    expect(one.path.length).toBeLessThanOrEqual(8 * stepLength)
    expect(await clientAccepts(all[at] as Buffer, one)).toBe(true)
  }
})

test('what becomes ready while a group is being signed is the next group', async () => {
  const [first, ...others] = messages(9) as [Buffer, ...Buffer[]]
  const started = signInGroup(key, first)
  await new Promise((resolve) => setImmediate(resolve))
  const later = await Promise.all(others.map((message) => signInGroup(key, message)))
  expect(new Set(later.map(({ signature }) => signature)).size).toBe(1)
  expect((await started).path).toBe('')
})

test('apps do not share signatures', async () => {
  const other = privateKeyFromSeed('ed25519', Buffer.alloc(32, 2))
  const [one, two] = messages(2) as [Buffer, Buffer]
  const signed = await Promise.all([signInGroup(key, one), signInGroup(other, two)])
  expect(signed.map(({ path }) => path)).toEqual(['', ''])
  expect(await clientAccepts(two, signed[1] as GroupSignature)).toBe(false)
})

test.each([3, 30])(
  'a key that cannot sign fails all %i replies of the group, and the next group too',
  async (count) => {
    const unable = privateKeyFromSeed('x25519', Buffer.alloc(32, 3))
    for (let round = 0; round < 2; round++) {
      const outcomes = await Promise.allSettled(messages(count).map((message) => signInGroup(unable, message)))
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    }
  },
)
