import { expect, test } from 'vitest'
import { accessEnd, secondsLeft, timeProblem, timeRejection, userClock } from './entitlements.rules.ts'

test('a duration is a whole number of at least 1 and at most a thousand years, of a known unit', () => {
  expect(timeProblem(1, 'hours')).toBeUndefined()
  expect(timeProblem(1000, 'years')).toBeUndefined()
  expect(timeProblem(1, undefined)).toEqual({ code: 'TIME_UNIT_REQUIRED' })
  for (const bad of [undefined, 0, -1, 1.5, Number.NaN]) {
    expect(timeProblem(bad, 'days')).toEqual({ code: 'DURATION_REQUIRED' })
  }
  for (const bad of [1001, 1e308]) expect(timeProblem(bad, 'years')).toEqual({ code: 'DURATION_TOO_LONG' })
})

test('a pause stops the clock', () => {
  expect(userClock({ paused_at: 50 }, 100)).toBe(50)
  expect(userClock({ paused_at: null }, 100)).toBe(100)
  expect(secondsLeft(120, 50)).toBe(70)
  expect(secondsLeft(120, 200)).toBe(0)
  expect(secondsLeft(null, 200)).toBeNull()
})

test.each([
  [[], false, 'USER_SUBSCRIPTION_NOT_FOUND'],
  [[null], true, 'SUBSCRIPTION_NEVER_ENDS'],
  [[101], false, undefined],
  [[100], false, 'SUBSCRIPTION_EXPIRED'],
  [[100], true, undefined],
  [[null, 90], false, 'SUBSCRIPTION_EXPIRED'],
  [[null, 190], false, undefined],
] as const)('time that ends at %j is, with expired ones %s, rejected as %s', (ends, withExpired, code) => {
  const entitlements = ends.map((expires_at) => ({ expires_at }))
  expect(timeRejection(entitlements, { clock: 100, withExpired })).toBe(code)
})

test('access ends with what ends last; a lifetime outlasts all, and without anything there is none', () => {
  const ends = (...expiries: (number | null)[]) =>
    accessEnd(expiries.map((expiry) => ({ expiry, time_left: expiry === null ? null : 1 })))?.expiry
  expect(ends()).toBeUndefined()
  expect(ends(100, 300, 200)).toBe(300)
  expect(ends(100, null, 300)).toBeNull()
})
