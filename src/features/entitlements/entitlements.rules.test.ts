import { expect, test } from 'vitest'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import {
  accessEnd,
  entitlementEnd,
  movedEnd,
  secondsLeft,
  timeProblem,
  timeRejection,
  userClock,
} from './entitlements.rules.ts'

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

test('the end moves with the time of a pause, but not past the last year', () => {
  expect(entitlementEnd({ paused_at: 50 }, 120, 100)).toEqual({ expiry: 170, time_left: 70 })
  expect(entitlementEnd({ paused_at: 50 }, maxEpochSeconds, 100)).toEqual({
    expiry: maxEpochSeconds,
    time_left: maxEpochSeconds - 50,
  })
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

// Redeemed at 100, for 30 until now.
test.each([
  ['moves the end by the difference', 130, { seconds: 31 }, 131],
  ['keeps what pauses and owners added', 150, { seconds: 31 }, 151],
  ['takes no more than the difference', 150, { seconds: 10 }, 130],
  ['of a subscription that the owner has ended adds the difference', 105, { seconds: 31 }, 106],
  ['of a subscription that the owner has ended takes nothing', 105, { seconds: 10 }, 105],
  ['keeps an end that the owner has removed', null, { seconds: 31 }, null],
  ['to a lifetime removes the end', 150, { seconds: 0 }, null],
  ['from a lifetime counts from the redemption', null, { seconds: 31, former: 0 }, 131],
  ['never ends after the last year', maxEpochSeconds - 5, { seconds: 40 }, maxEpochSeconds],
  ['counts from the redemption after an end that was cut', maxEpochSeconds, { seconds: 31, former: 1e12 }, 131],
] as const)('another duration of a license %s', (_what, end, { seconds, ...more }, moved) => {
  expect(movedEnd(end, { usedAt: 100, seconds, former: 30, ...more })).toBe(moved)
})
