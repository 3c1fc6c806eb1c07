import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type DurationUnit,
  durationSeconds,
  exactUnit,
  formatDuration,
  maxDurationSeconds,
  unitSeconds,
} from './duration.ts'

const units = fc.constantFrom(...(Object.keys(unitSeconds) as DurationUnit[]))

test('a month is 30 days and a year is 365 days', () => {
  expect(unitSeconds).toEqual({
    seconds: 1,
    minutes: 60,
    hours: 3600,
    days: 86_400,
    weeks: 604_800,
    months: 2_592_000,
    years: 31_536_000,
  })
})

test('a duration never exceeds 1,000 years, however large the number is (R-LIC-06)', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constant(1e308), fc.constant(Infinity)),
      units,
      (amount, unit) => {
        const seconds = durationSeconds(amount, unit)
        expect(seconds).toBeLessThanOrEqual(maxDurationSeconds)
        expect(seconds).toBe(Math.min(amount * unitSeconds[unit], 31_536_000_000))
      },
    ),
  )
})

test('a lifetime is 0', () => expect(durationSeconds(99, 'lifetime')).toBe(0))

test('uses the largest unit that divides the duration exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxDurationSeconds }), (seconds) => {
      const { count, unit } = exactUnit(seconds) ?? { count: 0, unit: 'seconds' as const }
      expect(count * unitSeconds[unit]).toBe(seconds)
      const larger = Object.values(unitSeconds).filter((each) => each > unitSeconds[unit])
      for (const each of larger) expect(seconds % each).not.toBe(0)
    }),
  )
})

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [5400, '90 minutes'],
  [86_400, '1 day'],
  [6 * 86_400, '6 days'],
  [7 * 86_400, '1 week'],
  [30 * 86_400, '1 month'],
  [45 * 86_400, '45 days'],
  [60 * 86_400, '2 months'],
  [366 * 86_400, '366 days'],
  [365 * 86_400, '1 year'],
  [730 * 86_400, '2 years'],
  [0, 'Lifetime'],
  [-1, 'Lifetime'],
  [null, 'Lifetime'],
  [undefined, 'Lifetime'],
])('%s seconds reads as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text))
