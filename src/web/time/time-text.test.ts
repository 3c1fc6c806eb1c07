import { i18n, type Messages } from '@lingui/core'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Language, languages } from '#contract/language.ts'
import {
  calendarDays,
  dayStamp,
  durationText,
  lengthLeftText,
  type Present,
  roundedTimeLeft,
  timeAgoText,
  timeLeftText,
  type TimeText,
  writtenLengthText,
} from './time-text.ts'

const minute = 60
const hour = 3600
const day = 86_400
const at = (text: string) => Date.parse(text) / 1000
/** Saturday, November 21 2026, a quarter past three in the afternoon in London. */
const now = at('2026-11-21T15:15:00Z')
const utc: Present = { now, timeZone: 'UTC' }

const catalogs = import.meta.glob<Messages>('../locales/*.po', { eager: true, import: 'messages' })
const say = (locale: Language) => i18n.loadAndActivate({ locale, messages: catalogs[`../locales/${locale}.po`] ?? {} })
/** ICU puts narrow spaces before AM and PM. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ')
const bothTexts = ({ relative, absolute }: TimeText) => (relative === '' ? absolute : `${relative} · ${absolute}`)
const left = (until: number, present = utc) => plain(bothTexts(timeLeftText(until, present)))
const ago = (past: number, present = utc) => plain(bothTexts(timeAgoText(past, present)))

beforeEach(() => say('en'))

const zones = fc.constantFrom(
  'UTC',
  'America/Sao_Paulo',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
)
/** A moment within fifty years, in some zone. */
const presents: fc.Arbitrary<Present> = fc.record({
  now: fc.integer({ min: at('2000-01-01'), max: at('2050-01-01') }),
  timeZone: zones,
})
const lengths = fc.oneof(
  fc.integer({ min: 1, max: 3 * day }),
  fc.integer({ min: 1, max: 800 * day }),
  fc.integer({ min: 1, max: 1000 * 365 * day }),
)
/** A day is longer or shorter by at most this where the clocks change. */
const clockChange = hour

/** The days that an English text names, and the date beside it, as one reads them. */
function readDays(text: string): { days: number; date: string } | undefined {
  const found = /^(?:(?<years>[\d,]+) years?)? ?(?:(?<days>\d+) days?)? (?:left|ago) · (?<date>[A-Z].*)$/.exec(
    text,
  )?.groups
  if (!found?.['date'] || found['date'].includes(':')) return undefined
  const count = (name: string) => Number((found[name] ?? '0').replaceAll(',', ''))
  return { days: count('years') * 365 + count('days'), date: found['date'] }
}

/** The calendar day so many days after today's in the zone, as it is written. */
function dateAfter({ now, timeZone }: Present, days: number): string {
  const today = dayStamp(now, timeZone)
  const date = new Date(Date.parse(today) + days * day * 1000)
  const isThisYear = date.getUTCFullYear() === Number(today.slice(0, 4))
  const year = isThisYear ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat('en', { ...year, month: 'short', day: 'numeric', timeZone: 'UTC' }).format(date)
}

describe('durations', () => {
  test.each([
    [30 * day, '30 days', '30 dias'],
    [395 * day, '1 year 30 days', '1 ano e 30 dias'],
    [365 * day, '1 year', '1 ano'],
    [730 * day, '2 years', '2 anos'],
    [14 * day, '14 days', '14 dias'],
    [day, '1 day', '1 dia'],
    [day + hour, '1 day 1 hour', '1 dia e 1 hora'],
    [5400, '1 hour 30 minutes', '1 hora e 30 minutos'],
    [3661, '1 hour 1 minute', '1 hora e 1 minuto'],
    [61, '1 minute 1 second', '1 minuto e 1 segundo'],
    [1, '1 second', '1 segundo'],
    [365 * day + 5 * hour, '1 year', '1 ano'],
    [0, 'Lifetime', 'Vitalícia'],
    [null, 'Lifetime', 'Vitalícia'],
  ])('%s seconds read "%s" and "%s"', (seconds, english, portuguese) => {
    expect(durationText(seconds)).toBe(english)
    say('pt-BR')
    expect(durationText(seconds)).toBe(portuguese)
  })

  test.each([
    ['en', 'day', 'days'],
    ['pt-BR', 'dia', 'dias'],
    ['es-419', 'día', 'días'],
  ] as const)('N days read as N days, from 1 to a year, in %s', (language, one, many) => {
    say(language)
    for (let count = 1; count < 365; count++) {
      expect(durationText(count * day)).toBe(count === 1 ? `1 ${one}` : `${count} ${many}`)
    }
  })

  test('a duration of two units is one phrase in Spanish', () => {
    say('es-419')
    expect(durationText(395 * day)).toBe('1 año y 30 días')
    expect(lengthLeftText(30 * day)).toBe('30 días restantes')
  })
})

describe('time left', () => {
  test.each([
    [30 * day, '30 days left · Dec 21', '30 dias restantes · 21 de dez.'],
    // A key is redeemed a moment before one looks.
    [30 * day - 5, '30 days left · Dec 21', '30 dias restantes · 21 de dez.'],
    [395 * day, '1 year 30 days left · Dec 21, 2027', '1 ano e 30 dias restantes · 21 de dez. de 2027'],
    [2 * day - 5, '2 days left · Nov 23', '2 dias restantes · 23 de nov.'],
    [day - 5, '1 day left · Nov 22, 3:14 PM', '1 dia restante · 22 de nov., 15:14'],
    [hour - 5, '1 hour left · 4:14 PM', '1 hora restante · 16:14'],
    [90 * minute, '1 hour 30 minutes left · 4:45 PM', '1 hora e 30 minutos restantes · 16:45'],
    [1, '1 minute left · 3:15 PM', '1 minuto restante · 15:15'],
    [10 * hour, '10 hours left · Nov 22, 1:15 AM', '10 horas restantes · 22 de nov., 01:15'],
    [30 * hour, '1 day 6 hours left · Nov 22, 9:15 PM', '1 dia e 6 horas restantes · 22 de nov., 21:15'],
  ])('%i seconds read "%s" and "%s"', (seconds, english, portuguese) => {
    expect(left(now + seconds)).toBe(english)
    say('pt-BR')
    expect(left(now + seconds)).toBe(portuguese)
  })

  test('a new key of N days has N days left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 364 }), fc.nat(59), presents, (count, seconds, { now }) => {
        // After midnight it is a day less, as the date beside it says.
        fc.pre(now % day >= seconds)
        const text = left(now - seconds + count * day, { now, timeZone: 'UTC' })
        expect(text).toMatch(count === 1 ? /^1 day left · / : new RegExp(`^${count} days left · `))
      }),
    )
  })

  test('counts calendar days of the zone: it changes at midnight there, together with the date', () => {
    const until = at('2026-12-21T12:00:00Z')
    const inSaoPaulo = (moment: string) => left(until, { now: at(moment), timeZone: 'America/Sao_Paulo' })
    expect(inSaoPaulo('2026-11-22T02:59:59Z')).toBe('30 days left · Dec 21')
    expect(inSaoPaulo('2026-11-22T03:00:00Z')).toBe('29 days left · Dec 21')
    expect(left(until, { now: at('2026-11-22T02:59:59Z'), timeZone: 'UTC' })).toBe('29 days left · Dec 21')
  })

  test('just under two days is never "2 days" beside the date of tomorrow', () => {
    const present = { now: at('2026-11-21T00:00:30Z'), timeZone: 'UTC' }
    expect(left(at('2026-11-22T23:59:00Z'), present)).toBe('1 day 23 hours left · Nov 22, 11:59 PM')
  })

  test('a night with a clock change neither adds nor removes a day', () => {
    const inNewYork = (moment: string, until: string) =>
      left(at(until), { now: at(moment), timeZone: 'America/New_York' })
    // November 1 2026 has 25 hours there, March 8 2026 has 23.
    expect(inNewYork('2026-10-30T12:00:00-04:00', '2026-11-02T12:00:00-05:00')).toBe('3 days left · Nov 2')
    expect(inNewYork('2026-03-06T12:00:00-05:00', '2026-03-09T12:00:00-04:00')).toBe('3 days left · Mar 9')
    expect(inNewYork('2026-11-01T00:00:00-04:00', '2026-11-01T23:30:00-05:00')).toBe(
      '24 hours 30 minutes left · 11:30 PM',
    )
  })

  test('is off by less than one unit', () => {
    fc.assert(
      fc.property(presents, lengths, (present, seconds) => {
        const claimed = roundedTimeLeft(present.now + seconds, present)
        const days = calendarDays(present.now, present.now + seconds, present.timeZone)
        const precision = days >= 2 ? day + clockChange : seconds > day ? hour : minute
        expect(claimed - seconds).toBeLessThan(precision)
        expect(seconds - claimed).toBeLessThan(days >= 2 ? precision : hour + clockChange)
        expect(claimed).toBeGreaterThan(0)
      }),
    )
  })

  test('never grows as time passes', () => {
    fc.assert(
      fc.property(presents, lengths, fc.nat(3 * day), (present, seconds, passed) => {
        fc.pre(passed < seconds)
        const until = present.now + seconds
        const later = { ...present, now: present.now + passed }
        expect(roundedTimeLeft(until, later)).toBeLessThanOrEqual(roundedTimeLeft(until, present))
      }),
    )
  })

  test('the days and the date beside them always agree', () => {
    fc.assert(
      fc.property(presents, lengths, (present, seconds) => {
        const text = left(present.now + seconds, present)
        const read = readDays(text)
        const days = calendarDays(present.now, present.now + seconds, present.timeZone)
        expect(read !== undefined, text).toBe(days >= 2)
        if (read) expect(text).toContain(` · ${dateAfter(present, read.days)}`)
      }),
    )
  })

  test('says the same numbers in every language', () => {
    fc.assert(
      fc.property(presents, lengths, (present, seconds) => {
        const numbers = languages.map(({ code }) => {
          say(code)
          return timeLeftText(present.now + seconds, present).relative.match(/\d+/g)
        })
        for (const each of numbers) expect(each).toEqual(numbers[0])
      }),
    )
  })

  test('paused time has no date', () => {
    expect(lengthLeftText(12 * day + 5 * hour)).toBe('12 days 5 hours left')
    say('pt-BR')
    expect(lengthLeftText(day)).toBe('1 dia restante')
  })
})

describe('time passed', () => {
  test.each([
    [0, 'now · 3:15 PM', 'agora · 15:15'],
    [59, 'now · 3:14 PM', 'agora · 15:14'],
    [60, '1 minute ago · 3:14 PM', 'há 1 minuto · 15:14'],
    [2 * hour, '2 hours ago · 1:15 PM', 'há 2 horas · 13:15'],
    [13 * hour + 10 * minute, '13 hours ago · 2:05 AM', 'há 13 horas · 02:05'],
    [16 * hour, '16 hours ago · Nov 20, 11:15 PM', 'há 16 horas · 20 de nov., 23:15'],
    [day, '1 day ago · Nov 20', 'há 1 dia · 20 de nov.'],
    [3 * day, '3 days ago · Nov 18', 'há 3 dias · 18 de nov.'],
    // Two midnights lie between, though not two days.
    [40 * hour, '2 days ago · Nov 19', 'há 2 dias · 19 de nov.'],
    [395 * day, '1 year 30 days ago · Oct 22, 2025', 'há 1 ano e 30 dias · 22 de out. de 2025'],
  ])('%i seconds read "%s" and "%s"', (seconds, english, portuguese) => {
    expect(ago(now - seconds)).toBe(english)
    say('pt-BR')
    expect(ago(now - seconds)).toBe(portuguese)
  })

  test("a future time isn't shown as past: only its date is", () => {
    expect(ago(now + 30)).toBe('now · 3:15 PM')
    expect(ago(now + hour)).toBe('Nov 21, 2026, 4:15 PM')
  })

  test('the days and the date beside them always agree', () => {
    fc.assert(
      fc.property(presents, lengths, (present, seconds) => {
        fc.pre(seconds < 25 * 365 * day)
        const text = ago(present.now - seconds, present)
        const read = readDays(text)
        if (seconds >= day + clockChange) expect(read, text).toBeDefined()
        if (read) expect(text).toContain(` · ${dateAfter(present, -read.days)}`)
      }),
    )
  })
})

test('the day of a time depends on the zone, not the language', () => {
  say('pt-BR')
  expect(dayStamp(at('2026-12-22T02:00:00Z'), 'America/Sao_Paulo')).toBe('2026-12-21')
  expect(dayStamp(at('2026-12-22T02:00:00Z'), 'UTC')).toBe('2026-12-22')
})

describe('a written duration', () => {
  test.each([
    [365 * day, '1 year', '1 ano'],
    [30 * day, '1 month', '1 mês'],
    [60 * day, '2 months', '2 meses'],
    [7 * day, '1 week', '1 semana'],
    [14 * day, '2 weeks', '2 semanas'],
    [45 * day, '45 days', '45 dias'],
    [36 * hour, '36 hours', '36 horas'],
    [90 * minute, '90 minutes', '90 minutos'],
    [59, '59 seconds', '59 segundos'],
    [1000 * 365 * day, '1,000 years', '1.000 anos'],
    [0, 'Lifetime', 'Vitalícia'],
  ])('%d s is %s, or %s', (seconds, english, portuguese) => {
    expect(plain(writtenLengthText(seconds))).toBe(english)
    say('pt-BR')
    expect(plain(writtenLengthText(seconds))).toBe(portuguese)
  })

  test('omits units that are too small to matter', () => {
    expect(writtenLengthText(day + hour + minute + 1)).toBe('1 day 1 hour')
  })
})
