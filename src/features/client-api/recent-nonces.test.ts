import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecentNonces } from './recent-nonces.ts'

/** Takes nonces of one scope. */
function taker() {
  const nonces = new RecentNonces(1000)
  return (nonce: string, now: number, scope = 'a session') => nonces.take({ scope, nonce, now })
}

test('a nonce is taken once for as long as it is kept', () => {
  const take = taker()
  expect(take('a', 5000)).toBe(true)
  expect(take('a', 5000)).toBe(false)
  expect(take('b', 5500)).toBe(true)
  expect(take('a', 5999)).toBe(false)
})

test('whatever the pace, no nonce passes twice within the time it is kept', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 700 })), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (calls) => {
      const take = taker()
      const takenAt = new Map<number, number>()
      let now = 10_000
      for (const [nonce, pause] of calls) {
        now += pause
        const taken = take(String(nonce), now)
        const before = takenAt.get(nonce)
        if (before !== undefined && now - before < 1000) expect(taken).toBe(false)
        if (before === undefined) expect(taken).toBe(true)
        if (taken) takenAt.set(nonce, now)
      }
    }),
  )
})

test('old ones are forgotten, so that memory does not grow for ever', () => {
  const take = taker()
  take('a', 5000)
  expect(take('a', 7001)).toBe(true)
})

test('a clock that is set back frees no nonce, of neither generation', () => {
  const take = taker()
  expect([take('older', 5000), take('newer', 6001)]).toEqual([true, true])
  for (const now of [5900, 4000, 1]) expect([take('older', now), take('newer', now)]).toEqual([false, false])
})

test('after a clock was set back by a day, nonces are forgotten as soon as ever', () => {
  const take = taker()
  take('a', 86_400_000)
  take('b', 5000)
  expect(take('a', 7001)).toBe(true)
})

test('each scope has nonces of its own, and no two are one because their texts together are equal', () => {
  const take = taker()
  expect([take('c', 5000, 'ab'), take('c', 5000, 'another'), take('bc', 5000, 'a')]).toEqual([true, true, true])
  expect([take('c', 5000, 'ab'), take('c', 5000, 'another'), take('bc', 5000, 'a')]).toEqual([false, false, false])
})
