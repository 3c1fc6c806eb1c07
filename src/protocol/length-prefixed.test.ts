import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lengthPrefixed } from './length-prefixed.ts'

function split(bytes: Buffer): string[] {
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at)
    parts.push(bytes.subarray(at + 4, end).toString('hex'))
    at = end
  }
  return parts
}

test('puts a 4-byte big-endian length before the UTF-8 bytes of each part', () => {
  expect(lengthPrefixed('é', new Uint8Array([7]), '').toString('hex')).toBe('00000002c3a9000000010700000000')
})

test('different lists of parts never give the same bytes', () => {
  expect(lengthPrefixed('ab', 'c')).not.toEqual(lengthPrefixed('a', 'bc'))
  const part = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 9 }), fc.uint8Array({ maxLength: 9 }))
  const lists = fc.array(part, { maxLength: 6 })
  fc.assert(
    fc.property(lists, (parts) => {
      expect(split(lengthPrefixed(...parts))).toEqual(parts.map((part) => Buffer.from(part as string).toString('hex')))
    }),
  )
})
