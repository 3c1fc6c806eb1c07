import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecentNonces } from './recent-nonces.ts'

test('a nonce is taken once for as long as it is kept', () => {
  const nonces = new RecentNonces(1000)
  expect(nonces.take('a', 5000)).toBe(true)
  expect(nonces.take('a', 5000)).toBe(false)
  expect(nonces.take('b', 5500)).toBe(true)
  expect(nonces.take('a', 5999)).toBe(false)
})

test('whatever the pace, no nonce passes twice within the time it is kept', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 700 })), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (calls) => {
      const nonces = new RecentNonces(1000)
      const takenAt = new Map<number, number>()
      let now = 10_000
      for (const [nonce, pause] of calls) {
        now += pause
        const taken = nonces.take(String(nonce), now)
        const before = takenAt.get(nonce)
        if (before !== undefined && now - before < 1000) expect(taken).toBe(false)
        if (before === undefined) expect(taken).toBe(true)
        if (taken) takenAt.set(nonce, now)
      }
    }),
  )
})

test('old ones are forgotten, so that memory does not grow for ever', () => {
  const nonces = new RecentNonces(1000)
  nonces.take('a', 5000)
  expect(nonces.take('a', 7001)).toBe(true)
})

test('a clock that is set back frees no nonce, of neither generation', () => {
  const nonces = new RecentNonces(1000)
  expect([nonces.take('older', 5000), nonces.take('newer', 6001)]).toEqual([true, true])
  for (const now of [5900, 4000, 1])
    expect([nonces.take('older', now), nonces.take('newer', now)]).toEqual([false, false])
})

test('after a clock was set back by a day, nonces are forgotten as soon as ever', () => {
  const nonces = new RecentNonces(1000)
  nonces.take('a', 86_400_000)
  nonces.take('b', 5000)
  expect(nonces.take('a', 7001)).toBe(true)
})
