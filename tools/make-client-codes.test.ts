import { expect, test } from 'vitest'
import { commonErrors, cooldownErrors } from '#contract/common-errors.ts'
import { clientErrors } from '#features/client-api/client-api.errors.ts'
import { codeNumber } from './client-codes/code-number.ts'
import { outdatedCodeFiles, readClientCodes } from './make-client-codes.ts'

/** Errors that are not declared by the calls of programs and that their replies can carry nevertheless. */
const shared = {
  ...cooldownErrors,
  BAD_REQUEST: commonErrors.BAD_REQUEST,
  BODY_TOO_LARGE: commonErrors.BODY_TOO_LARGE,
  CHARACTER_NOT_ALLOWED: commonErrors.CHARACTER_NOT_ALLOWED,
  DATABASE_UNAVAILABLE: commonErrors.DATABASE_UNAVAILABLE,
  FIELD_REQUIRED: commonErrors.FIELD_REQUIRED,
  INTERNAL_ERROR: commonErrors.INTERNAL_ERROR,
  INVALID_REQUEST: commonErrors.INVALID_REQUEST,
  MAINTENANCE: commonErrors.MAINTENANCE,
  RATE_LIMITED: commonErrors.RATE_LIMITED,
  SERVER_BUSY: commonErrors.SERVER_BUSY,
  TEXT_TOO_LONG: commonErrors.TEXT_TOO_LONG,
}

/** Raised by the clients themselves. */
const unverified = [
  'BAD_SIGNATURE',
  'FINGERPRINT_MISMATCH',
  'NETWORK',
  'STALE_RESPONSE',
  'UNKNOWN_KEY',
  'UNSIGNED_RESPONSE',
]
const own = [
  'CANCELLED',
  'FILE_CORRUPT',
  'FILE_NOT_WRITTEN',
  'HWID_UNAVAILABLE',
  'INVALID_CONFIGURATION',
  'MALFORMED_REPLY',
  'PROGRAM_NOT_FOUND',
]

const { codes } = readClientCodes()
const declared: Record<string, { status: number }> = { ...clientErrors, ...shared }

test('codes.json has every code that a client can meet, sorted, and no other', () => {
  const known = [...Object.keys(declared), ...unverified, ...own]
  expect(Object.keys(codes)).toEqual([...new Set(known)].toSorted())
})

test('each code has a verdict that fits its status', () => {
  const otherThanNo = new Set(['NONCE_REUSED', 'CLOCK_SKEW'])
  for (const [code, { verdict }] of Object.entries(codes)) {
    const status = declared[code]?.status ?? 0
    const isTemporary = status === 429 || status >= 500 || otherThanNo.has(code) || code === 'MALFORMED_REPLY'
    expect(verdict === 'temporary', code).toBe(isTemporary)
    expect(verdict === 'unverified', code).toBe(unverified.includes(code))
    if (own.includes(code)) expect(verdict, code).not.toBe('lost')
  }
})

test('each code has a sentence for customers in three languages', () => {
  for (const [code, { message }] of Object.entries(codes)) {
    expect(Object.keys(message), code).toEqual(['en', 'pt', 'es'])
    for (const text of Object.values(message)) {
      expect(text, code).toMatch(/^\p{Lu}[^\n{}<>_]+\.$/u)
      expect(text, code).not.toMatch(/\b(API|HWID|JSON|nonce|hash|token|webhook|HTTP)\b/i)
    }
    expect(new Set(Object.values(message)).size, code).toBe(3)
  }
})

test('the number of a code depends on nothing but its name', () => {
  const numbers = Object.keys(codes).map(codeNumber)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.every((number) => number > 1)).toBe(true)
  expect(codeNumber('APP_DISABLED')).toBe(767_175_081)
})

test('the tables of the clients are what tools/make-client-codes.ts writes', () => {
  expect(outdatedCodeFiles()).toEqual([])
})
