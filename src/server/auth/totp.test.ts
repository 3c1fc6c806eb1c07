import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base32, matchingStep, otpauthUri, stepAt, totpCode } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

describe('RFC 6238, appendix B (R-2FA-01)', () => {
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at %i s the code is %s', (seconds, code) => {
    expect(totpCode(secret, stepAt(seconds), 8)).toBe(code)
    expect(totpCode(secret, stepAt(seconds))).toBe(code.slice(2))
  })
})

describe('a code is accepted', () => {
  const now = 1_800_000_015
  test('of the current step and the adjacent ones, and of no other', () => {
    const taken = [-3, -2, -1, 0, 1, 2, 3].map((steps) =>
      matchingStep(secret, totpCode(secret, stepAt(now) + steps), now),
    )
    expect(taken).toEqual([undefined, undefined, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, undefined, undefined])
  })
  test('only as six digits', () => {
    const code = totpCode(secret, stepAt(now))
    for (const other of [
      '',
      `${code}0`,
      code.slice(1),
      `+${code.slice(1)}`,
      ` ${code}`,
      `${code}\n`,
      '١٢٣٤٥٦',
      'NaN',
    ]) {
      expect(matchingStep(secret, other, now)).toBeUndefined()
    }
  })
})

describe('base 32', () => {
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('RFC 4648: %s is %s', (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded))

  test('keeps every bit of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const bits = [...base32(bytes)].map((letter) =>
          'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
        )
        const expected = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
        expect(bits.join('').slice(0, expected.length)).toBe(expected)
      }),
    )
  })
})

test("the QR code's address escapes the platform's name", () => {
  const uri = otpauthUri({ issuer: 'Müller & Co: Keys', account: 'ana_1', secret: 'ABC' })
  expect(uri).toBe(
    'otpauth://totp/M%C3%BCller%20%26%20Co%3A%20Keys:ana_1?secret=ABC&issuer=M%C3%BCller%20%26%20Co%3A%20Keys&algorithm=SHA1&digits=6&period=30',
  )
})
