import { describe, expect, test } from 'vitest'
import {
  accessEnd,
  secondsLeft,
  timeOutcome,
  timeProblem,
  userClock,
} from '#features/entitlements/entitlements.rules.ts'
import { userVariableProblem } from '#features/variables/variables.rules.ts'
import { endUsernameProblem, usernameIsValid, userStatus } from './users.rules.ts'

test.each([
  [{ banned: true, paused: true, hasActiveSubscription: true }, 'Banned'],
  [{ banned: false, paused: true, hasActiveSubscription: true }, 'Paused'],
  [{ banned: false, paused: false, hasActiveSubscription: true }, 'Active'],
  [{ banned: false, paused: false, hasActiveSubscription: false }, 'Expired'],
] as const)('the status of %o is %s (part 1 §4)', (user, status) => {
  expect(userStatus(user)).toBe(status)
})

test.each(['bob', 'a/b', '日本語', '100%', 'first last', 'x'.repeat(64), 'Ação'])('%s is a username', (name) => {
  expect(usernameIsValid(name)).toBe(true)
  expect(endUsernameProblem(name)).toBeUndefined()
})

test.each(['ab', ' bob', 'bob ', 'a  b', 'a\tb', 'a\u0000b', 'a\u202Eb', 'x'.repeat(65), '🦊🦊'])(
  '%j is no username',
  (name) => {
    expect(usernameIsValid(name)).toBe(false)
  },
)

test('without a username it says what the document says', () => {
  expect(endUsernameProblem('')).toBe('Username is required')
  expect(endUsernameProblem('   ')).toBe('Username is required')
  expect(endUsernameProblem('ab')).toBe('The username must have 3 to 64 visible characters')
})

describe('time', () => {
  test('a duration is a whole number of at least 1 and at most a thousand years', () => {
    expect(timeProblem(1, 'hours')).toBeUndefined()
    expect(timeProblem(1000, 'years')).toBeUndefined()
    for (const bad of [undefined, 0, -1, 1.5, Number.NaN])
      expect(timeProblem(bad, 'days')).toBe('Please enter a duration')
    for (const bad of [1001, 1e308]) expect(timeProblem(bad, 'years')).toBe('The duration can be at most 1000 years')
  })

  test('a pause stops the clock', () => {
    expect(userClock({ paused_at: 50 }, 100)).toBe(50)
    expect(userClock({ paused_at: null }, 100)).toBe(100)
    expect(secondsLeft(120, 50)).toBe(70)
    expect(secondsLeft(120, 200)).toBe(0)
    expect(secondsLeft(null, 200)).toBeNull()
  })

  test.each([
    [[], false, 'withoutSubscription'],
    [[null], true, 'lifetime'],
    [[101], false, 'changed'],
    [[100], false, 'expired'],
    [[100], true, 'changed'],
    [[null, 90], false, 'expired'],
    [[null, 190], false, 'changed'],
  ] as const)('what ends at %j is, with expired ones %s, %s', (ends, withExpired, outcome) => {
    expect(
      timeOutcome(
        ends.map((expires_at) => ({ expires_at })),
        { clock: 100, withExpired },
      ),
    ).toBe(outcome)
  })

  test('access ends with what ends last; a lifetime outlasts all, and without anything there is none', () => {
    const ends = (...expiries: (number | null)[]) =>
      accessEnd(expiries.map((expiry) => ({ expiry, time_left: expiry === null ? null : 1 })))?.expiry
    expect(ends()).toBeUndefined()
    expect(ends(100, 300, 200)).toBe(300)
    expect(ends(100, null, 300)).toBeNull()
  })
})

test('a variable needs a name and data, within bounds', () => {
  expect(userVariableProblem('api_key', 'x')).toBeUndefined()
  for (const [name, data] of [
    ['', 'x'],
    [' ', 'x'],
    ['x', ''],
  ] as const) {
    expect(userVariableProblem(name, data)).toBe('Variable name and data are required')
  }
  expect(userVariableProblem('__proto__', 'x')).toBe('The variable name can only contain visible characters')
  expect(userVariableProblem('a\nb', 'x')).toBe('The variable name can only contain visible characters')
  expect(userVariableProblem('n'.repeat(101), 'x')).toMatch(/at most 100/)
  expect(userVariableProblem('n', 'd'.repeat(10_001))).toMatch(/at most 10000/)
})
