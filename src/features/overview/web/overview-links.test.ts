import { expect, test, vi } from 'vitest'
import { comingBounds, readTimeRange } from '#web/time/time-range.ts'
import { comingSpans, hourSeconds, overviewDays, startOfMinute, wholeOf } from '../overview.rules.ts'
import { expiringAddress } from './overview-links.ts'

const counted = Date.parse('2026-11-21T23:59:40Z') / 1000

test.each(['UTC', 'Asia/Kathmandu', 'America/New_York'])(
  'the licenses that expire soon are listed from the minute of the click on, in %s',
  (timeZone) => {
    for (const days of overviewDays) {
      const { first, last } = wholeOf(comingSpans(days, timeZone, counted))
      const period = { from: first * hourSeconds, to: last * hourSeconds }
      for (const clicked of [counted, counted + 25, counted + 1800]) {
        vi.setSystemTime(clicked * 1000)
        const { search } = expiringAddress({ period, timeZone }, counted)
        const bounds = comingBounds(readTimeRange(search['f.expires']), timeZone, clicked)
        expect(bounds).toEqual({ from: startOfMinute(clicked), until: period.to - 1 })
      }
    }
    vi.useRealTimers()
  },
)
