import { describe, expect, test } from 'vitest'
import { readRequestId, requestIds } from './request-ids.ts'

describe('request IDs', () => {
  test('are eight characters without I, L, O, U, in two groups', () => {
    const next = requestIds()
    for (let made = 0; made < 2000; made++) expect(next()).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  test.each([
    { start: 0, step: 1 },
    { start: 2 ** 40 - 1, step: 2 ** 40 - 1 },
    { start: 2 ** 39, step: 3 },
    { start: 1, step: 2 ** 39 + 1 },
  ])('are different within a process, also with the start and step %j', (sequence) => {
    const next = requestIds(sequence)
    const ids = Array.from({ length: 100_000 }, next)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('of the last values are complete and go on from the beginning', () => {
    const next = requestIds({ start: 2 ** 40 - 3, step: 1 })
    expect([next(), next(), next(), next()]).toEqual(['ZZZZ-ZZZY', 'ZZZZ-ZZZZ', '0000-0000', '0000-0001'])
  })

  test('of several processes are different', () => {
    const ids = Array.from({ length: 50 }, () => requestIds()).flatMap((next) => Array.from({ length: 100 }, next))
    // 5,000 of 2^40: one in 88,000 runs would have two that are the same.
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('a written request ID', () => {
  test.each([
    'K7F3-01QD',
    'k7f3-01qd',
    'K7F301QD',
    ' k7f3 01qd\n',
    'K7F3–01QD',
    'K 7 F 3 - 0 1 Q D',
    'k7f3-olqd',
    'K7F3-OIQD',
  ])('%j is read', (text) => {
    expect(readRequestId(text)).toBe('K7F3-01QD')
  })

  test.each([
    '',
    '-',
    'K7F3-92Q',
    'K7F3-92QDD',
    'U7F3-92QD',
    'K7F3_92QD',
    "K7F3'92QD",
    '%%%%%%%%',
    '\u{1F600}7F392QD',
    'K7F392QD'.padEnd(2000, ' '),
  ])('%j is none', (text) => {
    expect(readRequestId(text)).toBeUndefined()
  })
})
