import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CallError } from '#contract/errors.ts'
import { networkOf, RateLimits } from './rate-limits.ts'

function taken(limits: RateLimits, subject: string, max: number, now: number): CallError | undefined {
  try {
    limits.take({ purpose: 'test', subject, max, seconds: 60 }, now)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(CallError)
    return error as CallError
  }
}

describe('limits', () => {
  test('allow the configured number of calls, and return how long to wait', () => {
    const limits = new RateLimits()
    for (let n = 0; n < 3; n++) expect(taken(limits, 'a', 3, 1000)).toBeUndefined()
    expect(taken(limits, 'a', 3, 31_000)).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      details: { retryAfterSeconds: 30 },
    })
    expect(taken(limits, 'a', 3, 60_999)).toMatchObject({ details: { retryAfterSeconds: 1 } })
    expect(taken(limits, 'a', 3, 61_000)).toBeUndefined()
  })

  test('count each purpose, subject, and window separately', () => {
    const limits = new RateLimits()
    expect(taken(limits, 'a', 1, 1000)).toBeUndefined()
    expect(taken(limits, 'b', 1, 1000)).toBeUndefined()
    const ofAnHour = { purpose: 'test', subject: 'a', max: 1, seconds: 3600 }
    expect(() => limits.take(ofAnHour, 1000)).not.toThrow()
    expect(() => limits.take({ ...ofAnHour, purpose: 'another', seconds: 60 }, 1000)).not.toThrow()
    expect(taken(limits, 'a', 1, 1000)).toBeDefined()
  })

  test('never allow more in one window, at any pace', () => {
    const steps = fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 10 }), (pauses, max) => {
        const limits = new RateLimits()
        let now = 1_000_000
        const passed: number[] = []
        for (const pause of pauses) {
          now += pause
          if (!taken(limits, 'x', max, now)) passed.push(now)
        }
        // A fixed window may let two batches meet at its edge, and no more.
        for (const at of passed)
          expect(passed.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(2 * max)
      }),
    )
  })

  test("a clock that is set back doesn't lock callers out", () => {
    const limits = new RateLimits()
    expect(taken(limits, 'a', 1, 9_000_000)).toBeUndefined()
    expect(taken(limits, 'a', 1, 1000)).toBeUndefined()
  })

  test('a flood of subjects evicts the oldest of its own purpose, and none of another (R-RATE-01)', () => {
    const limits = new RateLimits()
    const ofAnother = { purpose: 'another', subject: 'first', max: 1, seconds: 60 }
    limits.take(ofAnother, 1000)
    expect(taken(limits, 'first', 1, 1000)).toBeUndefined()
    for (let n = 0; n < 250_000; n++) taken(limits, `flood ${n}`, 1, 1000)
    expect(taken(limits, 'flood 249999', 1, 1000)).toBeDefined()
    expect(taken(limits, 'first', 1, 1000)).toBeUndefined()
    expect(() => limits.take(ofAnother, 1000)).toThrow(CallError)
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::'],
  ['::1', '::'],
  ['nonsense', 'nonsense'],
  ['', ''],
])('%j belongs to the network %j', (address, network) => expect(networkOf(address)).toBe(network))
