import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sessionExpiry, shouldRecordUse } from './accounts.rules.ts'

const hour = 3600
const day = 86_400

test('ends one hour after the last use, or a week with "remember me" (R-SES-04)', () => {
  expect(sessionExpiry({ createdAt: 1000, lastUsedAt: 1000, rememberMe: false }, 24)).toBe(1000 + hour)
  expect(sessionExpiry({ createdAt: 1000, lastUsedAt: 1000, rememberMe: true }, 24)).toBe(1000 + 7 * day)
})

test('use extends a session, but never past the timeout counted from sign-in', () => {
  const moment = fc.nat({ max: 4_000_000_000 })
  fc.assert(
    fc.property(moment, fc.nat({ max: 100 * day }), fc.integer({ min: 1, max: 168 }), (createdAt, used, hours) => {
      const expiry = sessionExpiry({ createdAt, lastUsedAt: createdAt + used, rememberMe: false }, hours)
      expect(expiry).toBeLessThanOrEqual(createdAt + hours * hour)
      expect(expiry).toBeLessThanOrEqual(createdAt + used + hour)
      expect([createdAt + hours * hour, createdAt + used + hour]).toContain(expiry)
    }),
  )
})

test('a remembered session ends 30 days after sign-in, even with constant use', () => {
  expect(sessionExpiry({ createdAt: 0, lastUsedAt: 29 * day, rememberMe: true }, 1)).toBe(30 * day)
})

test("uses within a minute aren't recorded again", () => {
  expect(shouldRecordUse(1000, 1059)).toBe(false)
  expect(shouldRecordUse(1000, 1060)).toBe(true)
})
