import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWith, SealBroken, type SealKey, sealWith } from './sealed-file.ts'

const chunk = 65_536
const sealedChunk = chunk + 16
const headerBytes = 33
const key: SealKey = { kind: 'key', key: randomBytes(32) }

async function* inParts(bytes: Buffer, size = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const bytes of source) all.push(bytes)
  return Buffer.concat(all)
}

const seal = (plain: Buffer, by: SealKey = key) => collect(sealWith(by)(inParts(plain)))
const open = (sealed: Buffer, by: SealKey = key, size?: number) => collect(openWith(by)(inParts(sealed, size)))

test.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 5])('%i bytes come back unchanged', async (n) => {
  const plain = randomBytes(n)
  expect((await open(await seal(plain))).equals(plain)).toBe(true)
  expect((await open(await seal(plain), key, 7919)).equals(plain)).toBe(true)
})

test("the content can't be read, and two files of the same content differ", async () => {
  const plain = Buffer.from('a secret of an owner '.repeat(50))
  const [one, two] = [await seal(plain), await seal(plain)]
  expect(one.includes('secret of')).toBe(false)
  expect(one.subarray(headerBytes).equals(two.subarray(headerBytes))).toBe(false)
})

test('a truncated file is rejected, also at the end of a chunk (R-BAK-01)', async () => {
  const sealed = await seal(randomBytes(3 * chunk))
  const ends = [1, 2, 3].map((chunks) => headerBytes + chunks * sealedChunk)
  expect(ends[2]).toBe(sealed.length)
  const lengths = [0, 10, headerBytes, headerBytes + 5, ends[0], ends[1], (ends[1] as number) + 20, sealed.length - 1]
  for (const length of lengths) await expect(open(sealed.subarray(0, length)), `${length}`).rejects.toThrow(SealBroken)
})

test('one changed byte anywhere is rejected', async () => {
  const sealed = await seal(randomBytes(2 * chunk + 100))
  const locations = [
    0,
    14,
    16,
    17,
    32,
    headerBytes,
    headerBytes + chunk,
    headerBytes + sealedChunk + 1,
    sealed.length - 1,
  ]
  for (const location of locations) {
    const changed = Buffer.from(sealed)
    changed[location] = (changed[location] as number) ^ 1
    await expect(open(changed), `at ${location}`).rejects.toThrow(SealBroken)
  }
})

test("reordered, repeated, missing, and other files' chunks are rejected", async () => {
  const sealed = await seal(randomBytes(3 * chunk + 10))
  const other = await seal(randomBytes(3 * chunk + 10))
  const part = (of: Buffer, n: number) =>
    of.subarray(headerBytes + n * sealedChunk, Math.min(of.length, headerBytes + (n + 1) * sealedChunk))
  const header = sealed.subarray(0, headerBytes)
  const file = (...parts: Buffer[]) => Buffer.concat([header, ...parts])
  const [a, b, c, end] = [0, 1, 2, 3].map((n) => part(sealed, n)) as [Buffer, Buffer, Buffer, Buffer]
  expect((await open(file(a, b, c, end))).length).toBe(3 * chunk + 10)
  for (const wrong of [file(b, a, c, end), file(a, a, c, end), file(a, c, end), file(a, part(other, 1), c, end)]) {
    await expect(open(wrong)).rejects.toThrow(SealBroken)
  }
  await expect(open(file(a, b, c, end, end))).rejects.toThrow(SealBroken)
  await expect(open(file(a, b, c, Buffer.concat([end, Buffer.from('more')])))).rejects.toThrow(SealBroken)
})

test("another key, another passphrase, or the other kind of key doesn't open it", async () => {
  const passphrase = { kind: 'passphrase', passphrase: 'correct horse battery' } as const
  const plain = Buffer.from('content')
  await expect(open(await seal(plain), { kind: 'key', key: randomBytes(32) })).rejects.toThrow('The key is another one')
  await expect(open(await seal(plain), passphrase)).rejects.toThrow('sealed with the master key')
  const sealed = await seal(plain, passphrase)
  expect((await open(sealed, passphrase)).toString()).toBe('content')
  await expect(open(sealed, { ...passphrase, passphrase: 'Correct horse battery' })).rejects.toThrow(SealBroken)
  await expect(open(sealed)).rejects.toThrow('sealed with a passphrase')
})
