import { describe, expect, test } from 'vitest'
import { maxBuckets } from '../logs.rules.ts'
import { arePartsOfDays, bucketEdges, mostBars, mostBarsOnPhones } from './log-buckets.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const texts = (edges: readonly number[]) => edges.map((edge) => new Date(edge * 1000).toISOString().slice(0, 16))
const lengthsOf = (edges: readonly number[]) =>
  new Set(edges.slice(1).map((edge, index) => edge - (edges[index] ?? edge)))

describe('the bars of a period', () => {
  test.each([
    ['2026-11-26T10:07', '2026-11-26T10:20', 'UTC', 60, 14, '2026-11-26T10:07', '2026-11-26T10:20'],
    ['2026-11-26T10:07', '2026-11-26T11:20', 'UTC', 60, 74, '2026-11-26T10:07', '2026-11-26T11:20'],
    ['2026-11-26T10:07', '2026-11-26T15:20', 'UTC', 300, 64, '2026-11-26T10:05', '2026-11-26T15:20'],
    ['2026-11-25T10:07', '2026-11-26T10:07', 'UTC', 900, 98, '2026-11-25T10:00', '2026-11-26T10:15'],
    ['2026-11-26T00:00', '2026-11-27T00:00', 'UTC', 900, 97, '2026-11-26T00:00', '2026-11-27T00:00'],
    ['2026-11-25T10:07', '2026-11-27T10:07', 'Asia/Kathmandu', 1800, 98, '2026-11-25T09:45', '2026-11-27T10:15'],
    ['2026-11-20T10:07', '2026-11-26T10:07', 'UTC', 7200, 74, '2026-11-20T10:00', '2026-11-26T12:00'],
    ['2026-11-20T10:07', '2026-11-26T10:07', 'America/Sao_Paulo', 7200, 74, '2026-11-20T09:00', '2026-11-26T11:00'],
    ['2026-08-28T10:07', '2026-11-26T10:07', 'UTC', 86_400, 92, '2026-08-28T00:00', '2026-11-27T00:00'],
  ])('%s to %s in %s: of %i seconds, %i edges', (from, until, timeZone, seconds, count, first, last) => {
    const edges = bucketEdges({ from: at(from), until: at(until) }, { timeZone, most: mostBars })
    expect([...lengthsOf(edges)]).toEqual([seconds])
    expect(edges).toHaveLength(count)
    expect([texts(edges)[0], texts(edges).at(-1)]).toEqual([first, last])
    expect(arePartsOfDays(edges.slice(1).map((to, index) => ({ from: edges[index] ?? to, to })))).toBe(seconds < 86_400)
  })

  test('a day on which the clocks change begins with a bar as well, and so does the next one', () => {
    const period = { from: at('2026-10-25T10:00'), until: at('2026-11-10T10:00') }
    const edges = texts(bucketEdges(period, { timeZone: 'America/New_York', most: mostBars }))
    expect(edges).toEqual(expect.arrayContaining(['2026-10-26T04:00', '2026-11-01T04:00', '2026-11-02T05:00']))
    expect(edges).toContain('2026-11-01T22:00')
    expect(edges).not.toContain('2026-11-02T04:00')
  })

  const hour = 3600
  const lengths = [1, 60, 5760, 5761, 8 * hour, 24 * hour, 48 * hour, 49 * hour]
  const days = [4, 8, 16, 30, 48, 49, 96, 97, 365, 3650].map((count) => count * 24 * hour)
  test.each([...lengths, ...days])('%i seconds are covered by no more bars than the call takes', (seconds) => {
    for (const timeZone of ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']) {
      // The first night has the change of the clocks in New York, the second one the end of summer on Lord Howe.
      for (const start of ['2026-03-07T23:59', '2026-04-03T10:31']) {
        const period = { from: at(start), until: at(start) + seconds }
        for (const most of [mostBars, mostBarsOnPhones]) {
          const edges = bucketEdges(period, { timeZone, most })
          expect(edges.length).toBeLessThanOrEqual(Math.min(maxBuckets + 1, most + 5))
          expect(edges[0]).toBeLessThanOrEqual(period.from)
          expect(edges[1]).toBeGreaterThan(period.from)
          expect(edges.at(-1)).toBeGreaterThanOrEqual(period.until)
          expect(edges.at(-2)).toBeLessThan(period.until)
          expect(edges.every((edge, index) => edge % 60 === 0 && edge > (edges[index - 1] ?? 0))).toBe(true)
        }
      }
    }
  })
})
