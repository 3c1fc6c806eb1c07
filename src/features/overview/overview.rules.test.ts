import { expect, test } from 'vitest'
import {
  type Attention,
  chosenSpans,
  comingSpans,
  hasRoundedDays,
  hourSeconds,
  nearLimits,
  needsOf,
  overviewDays,
  pastSpans,
  previousSpans,
} from './overview.rules.ts'

const at = (text: string) => Date.parse(text) / 1000
const dayOf = (timeZone: string, seconds: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(seconds * 1000)
const zones = [
  'UTC',
  'America/Sao_Paulo',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
]
const moments = ['2026-03-08T07:30:00Z', '2026-11-01T05:59:59Z', '2026-11-21T23:45:00Z', '2026-01-01T00:00:00Z']

test.each(zones)(
  'periods in %s have the right number of days, without gaps or overlaps, and include the present',
  (zone) => {
    for (const now of moments.map(at)) {
      for (const days of overviewDays) {
        const spans = pastSpans(days, zone, now)
        const coming = comingSpans(days, zone, now)
        for (const each of [spans, coming]) {
          expect(each).toHaveLength(days === 1 ? 24 : days)
          for (const [index, { first, last }] of each.entries()) {
            expect(last).toBeGreaterThan(first)
            if (index > 0) expect(first).toBe(each[index - 1]?.last)
          }
        }
        const hour = Math.floor(now / hourSeconds)
        expect(spans.at(-1)?.last).toBe(hour + 1)
        expect(coming[0]?.first).toBe(hour)
        if (days === 1) continue
        // Each span is a different day of the zone, and whole hours belong to the day with the larger part.
        const named = spans.map(({ first, last }) => dayOf(zone, ((first + last) / 2) * hourSeconds))
        expect(new Set(named).size).toBe(days)
        for (const { first, last } of spans.slice(0, -1)) {
          expect(last - first).toBeGreaterThanOrEqual(23)
          expect(last - first).toBeLessThanOrEqual(25)
          const [begin, end] = [first, last].map((value) => value * hourSeconds) as [number, number]
          expect(dayOf(zone, begin + hourSeconds / 2)).toBe(dayOf(zone, end - hourSeconds / 2))
          expect(dayOf(zone, begin - hourSeconds / 2)).not.toBe(dayOf(zone, begin + hourSeconds / 2))
        }
      }
    }
  },
)

test('clock changes produce days of 23 and 25 hours', () => {
  const lengths = (text: string) => pastSpans(7, 'America/New_York', at(text)).map(({ first, last }) => last - first)
  expect(lengths('2026-03-10T12:00:00Z').slice(0, 6)).toEqual([24, 24, 24, 24, 23, 24])
  expect(lengths('2026-11-03T12:00:00Z').slice(0, 6)).toEqual([24, 24, 24, 24, 25, 24])
})

test('a clock that moves by two hours produces days of 22 and 26 hours', () => {
  const lengths = (text: string) => pastSpans(7, 'Antarctica/Troll', at(text)).map(({ first, last }) => last - first)
  expect(lengths('2027-03-30T12:00:00Z').slice(0, 6)).toEqual([24, 24, 24, 24, 22, 24])
  expect(lengths('2026-10-27T12:00:00Z').slice(0, 6)).toEqual([24, 24, 24, 24, 26, 24])
})

test("rounds only in zones whose days don't begin on a whole hour", () => {
  const rounded = (zone: string) => hasRoundedDays(pastSpans(7, zone, at('2026-11-21T12:00:00Z')), zone)
  expect(zones.filter(rounded)).toEqual(['Asia/Kolkata', 'Asia/Kathmandu'])
})

test.each(zones)('the period before in %s has as many spans, ends where this one begins, and is cut alike', (zone) => {
  for (const now of moments.map(at)) {
    for (const days of overviewDays) {
      const spans = pastSpans(days, zone, now)
      const before = previousSpans(spans, zone, now)
      expect(before).toHaveLength(spans.length)
      for (const [index, { first, last }] of before.entries()) {
        expect(last).toBeGreaterThan(first)
        if (index > 0) expect(first).toBe(before[index - 1]?.last)
      }
      const [ended, underWay] = [before.at(-1), spans.at(-1)]
      const lengthOf = (span: { first: number; last: number } | undefined) => (span ? span.last - span.first : 0)
      expect(lengthOf(ended)).toBeLessThanOrEqual(lengthOf(underWay))
      expect(ended?.last).toBeLessThanOrEqual(spans[0]?.first ?? 0)
      // Without a span in progress, nothing is cut.
      const past = spans.slice(0, -1)
      if (past.length > 0) expect(previousSpans(past, zone, now).at(-1)?.last).toBe(past[0]?.first)
    }
  }
})

test.each(zones)('a chosen range in %s consists of whole days that contain it', (zone) => {
  for (const now of moments.map(at)) {
    const hour = Math.floor(now / hourSeconds)
    const range = { first: hour - 400, last: hour - 100 }
    const spans = chosenSpans(range, zone, now)
    expect(spans[0]?.first).toBeLessThanOrEqual(range.first)
    expect(spans[0]?.last).toBeGreaterThan(range.first)
    expect(spans.at(-1)?.first).toBeLessThan(range.last)
    expect(spans.at(-1)?.last).toBeGreaterThanOrEqual(range.last)
    for (const { first, last } of spans) {
      expect(last - first).toBeGreaterThanOrEqual(23)
      expect(last - first).toBeLessThanOrEqual(25)
    }
  }
})

test('limits are near from 80%, the fullest first; none is never near', () => {
  const limit = (name: 'users' | 'licenses' | 'apps', used: number, max: number) => ({ limit: name, used, max })
  expect(nearLimits([limit('users', 79, 100), limit('apps', 9, -1), limit('licenses', 0, 0)])).toEqual([])
  expect(nearLimits([limit('users', 80, 100), limit('apps', 5, 5), limit('licenses', 79, 100)])).toEqual([
    limit('apps', 5, 5),
    limit('users', 80, 100),
  ])
})

test('what needs the owner is at most six things, the most urgent first, and few outdated starts are none', () => {
  const all: Attention = {
    webhooks: { failing: 0, stopped: 1 },
    alerts: 1,
    rejected: { customers: 1 },
    outdated: { starts: 10 },
    expiring: 1,
    limits: [{ limit: 'users', used: 9, max: 10 }],
  }
  expect(needsOf(all)).toEqual(['webhooks', 'alerts', 'rejected', 'outdated', 'limits', 'expiring'])
  expect(needsOf({ ...all, outdated: { starts: 9 }, alerts: 0 })).toEqual([
    'webhooks',
    'rejected',
    'limits',
    'expiring',
  ])
  const nobody = {
    webhooks: { failing: 0, stopped: 0 },
    alerts: 0,
    rejected: { customers: 0 },
    outdated: { starts: 0 },
  }
  expect(needsOf({ ...nobody, expiring: 0, limits: [] })).toEqual([])
})
