import { expect, test } from 'vitest'
import { lastHeartbeat, sessionStatus } from './session-store.rules.ts'

const session = { expires_at: 10_000, expiry_time: 3600 }

test.each([
  [6400, 'active'],
  [7000, 'active'],
  [7001, 'inactive'],
  [9999, 'inactive'],
  [10_000, 'expired'],
  [20_000, 'expired'],
])('at %i a one-hour session with its last heartbeat at 6400 is %s', (now, status) => {
  expect(sessionStatus(session, now)).toBe(status)
})

test('the last heartbeat is the end minus the length, 300 seconds by default', () => {
  expect(lastHeartbeat(session)).toBe(6400)
  expect(lastHeartbeat({ expires_at: 10_000 })).toBe(9700)
})

test('a session of 300 seconds is never inactive: it expires first', () => {
  const short = { expires_at: 10_000 }
  expect([9700, 9999, 10_000].map((now) => sessionStatus(short, now))).toEqual(['active', 'active', 'expired'])
})
