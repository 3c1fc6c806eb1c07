import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { spanTick } from './span-text.ts'
import { tickedPoints } from './time-ticks.ts'

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

function ticks(start: string, { count, seconds, timeZone }: { count: number; seconds: number; timeZone: string }) {
  const from = Date.parse(`${start}Z`) / 1000
  const points = Array.from({ length: count }, (_, at) => ({
    from: from + at * seconds,
    to: from + (at + 1) * seconds,
  }))
  const isHourly = seconds < 86_400
  return tickedPoints(points, { atMost: 6, isHourly, timeZone }).map((index) => {
    const point = points[index]
    return point && spanTick(point, isHourly, timeZone).replace(/\s/g, ' ')
  })
}

test.each([
  ['2026-11-25T21:45', 96, 900, 'UTC', ['Nov 26', '6:00 AM', '12:00 PM', '6:00 PM']],
  ['2026-11-25T22:15', 96, 900, 'Asia/Kathmandu', ['6:00 AM', '12:00 PM', '6:00 PM', 'Nov 27']],
  ['2026-11-26T10:07', 14, 60, 'UTC', ['10:10 AM', '10:15 AM', '10:20 AM']],
  ['2026-11-20T00:00', 84, 7200, 'UTC', ['Nov 20', 'Nov 22', 'Nov 24', 'Nov 26']],
  ['2026-11-20T03:00', 3, 3600, 'America/Sao_Paulo', ['Nov 20', '1 AM', '2 AM']],
  ['2026-11-20T00:00', 8, 86_400, 'UTC', ['Nov 21', 'Nov 23', 'Nov 25', 'Nov 27']],
])('from %s, %i points of %i seconds in %s are labeled %j', (start, count, seconds, timeZone, expected) => {
  expect(ticks(start, { count, seconds, timeZone })).toEqual(expected)
})
