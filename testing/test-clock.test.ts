import { expect, test } from 'vitest'
import { TestClock } from './test-clock.ts'

test('a test’s clock stands until it is advanced, and a jump moves the time of day alone', () => {
  const clock = new TestClock({ runs: false })
  const start = clock.wall()
  expect(clock.monotonic()).toBe(0)
  clock.advance(90)
  expect([clock.monotonic(), clock.wall()]).toEqual([90_000, start + 90_000])
  clock.jump(-3600)
  expect([clock.monotonic(), clock.wall()]).toEqual([90_000, start + 90_000 - 3_600_000])
})
