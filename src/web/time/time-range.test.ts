import { i18n } from '@lingui/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { messages } from '../locales/pt-BR.po'
import {
  calendarBounds,
  comingBounds,
  readTimeRange,
  startOfDay,
  timeRangeBounds,
  timeRangeParam,
  timeRangeText,
  timeSpanParam,
} from './time-range.ts'

const at = (text: string) => Date.parse(text) / 1000
const plain = (text: string) => text.replaceAll(/\s/g, ' ')

describe('a range in an address', () => {
  test.each([
    ['7', { days: 7 }],
    ['2026-11-01..2026-11-20', { from: '2026-11-01', until: '2026-11-20' }],
    ['2026-11-20..2026-11-20', { from: '2026-11-20', until: '2026-11-20' }],
    ['2026-11-01..', { from: '2026-11-01', until: undefined }],
    ['..2026-11-20', { from: undefined, until: '2026-11-20' }],
  ])('%s is understood', (text, range) => {
    expect(readTimeRange(text)).toEqual(range)
    if (text.includes('..')) expect(timeRangeParam(range)).toBe(text)
  })
  test.each([
    '',
    '..',
    '0',
    '-3',
    '1.5',
    '2026-11-01',
    '2026-02-30..',
    '2026-13-01..',
    '2026-11-20..2026-11-01',
    'a..b',
    '2026-11-20T14:00Z..2026-11-20T14:00Z',
    '2026-11-20T14:60Z..2026-11-21T14:00Z',
    '2026-11-20T24:00Z..2026-11-21T14:00Z',
    '2026-11-20T14:30:10Z..2026-11-21T14:00Z',
    '2026-11-20T14:00Z..2026-11-21',
    '2026-02-30T14:00Z..2026-11-21T14:00Z',
  ])('%j is none', (text) => {
    expect(readTimeRange(text)).toBeUndefined()
  })
  test.each(['2026-11-01..2026-11-02..2026-11-03', '1000', '+7', '1999-12-31..', '2026-1-1..', '2026-11-01T00:00..'])(
    '%j is none either',
    (text) => {
      expect(readTimeRange(text)).toBeUndefined()
    },
  )
})

describe('its days are those of the zone, from the first second to the last', () => {
  test.each([
    ['UTC', '2026-11-01T00:00:00Z', '2026-11-20T23:59:59Z'],
    ['America/Sao_Paulo', '2026-11-01T03:00:00Z', '2026-11-21T02:59:59Z'],
    ['Pacific/Kiritimati', '2026-10-31T10:00:00Z', '2026-11-20T09:59:59Z'],
    ['Asia/Kathmandu', '2026-10-31T18:15:00Z', '2026-11-20T18:14:59Z'],
    // The clocks go back within the range.
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-21T04:59:59Z'],
  ])('%s', (zone, from, until) => {
    const range = readTimeRange('2026-11-01..2026-11-20')
    expect(timeRangeBounds(range, zone)).toEqual({ from: at(from), until: at(until) })
  })
  test('a day whose midnight is left out begins with its first second', () => {
    expect(startOfDay('2018-11-04', 'America/Sao_Paulo')).toBe(at('2018-11-04T03:00:00Z'))
    expect(startOfDay('2018-11-05', 'America/Sao_Paulo')).toBe(at('2018-11-05T02:00:00Z'))
  })
  test('one end alone, and the last days, as they are', () => {
    expect(timeRangeBounds(readTimeRange('2026-11-01..'), 'UTC')).toEqual({ from: at('2026-11-01T00:00:00Z') })
    expect(timeRangeBounds(readTimeRange('..2026-11-20'), 'UTC')).toEqual({ until: at('2026-11-20T23:59:59Z') })
    expect(timeRangeBounds(readTimeRange('30'), 'UTC')).toEqual({ days: 30 })
    expect(timeRangeBounds(undefined, 'UTC')).toEqual({})
  })
})

describe('a period of a chart in an address', () => {
  const now = at('2026-11-20T09:20:00Z')
  const param = (from: string, to: string, zone = 'UTC') => timeSpanParam({ from: at(from), to: at(to) }, zone, now)

  test('is its calendar days if it consists of them; today goes on', () => {
    expect(param('2026-11-01T00:00:00Z', '2026-11-04T00:00:00Z')).toBe('2026-11-01..2026-11-03')
    expect(param('2026-11-01T00:00:00Z', '2026-11-20T10:00:00Z')).toBe('2026-11-01..2026-11-20')
    expect(param('2026-11-01T03:00:00Z', '2026-11-02T03:00:00Z', 'America/Sao_Paulo')).toBe('2026-11-01..2026-11-01')
  })

  test('otherwise its hours, which are read back exactly', () => {
    const hours = param('2026-11-19T10:00:00Z', '2026-11-20T10:00:00Z')
    expect(hours).toBe('2026-11-19T10:00Z..2026-11-20T10:00Z')
    expect(timeRangeBounds(readTimeRange(hours), 'Asia/Kathmandu')).toEqual({
      from: at('2026-11-19T10:00:00Z'),
      until: at('2026-11-20T09:59:59Z'),
    })
    expect(param('2026-11-01T00:00:00Z', '2026-11-04T05:00:00Z')).toContain('T05:00Z')
  })

  test('the last days contain today, and one day is the last 24 hours', () => {
    expect(calendarBounds(readTimeRange('7'), 'UTC', now)).toEqual({ from: at('2026-11-14T00:00:00Z') })
    expect(calendarBounds(readTimeRange('1'), 'UTC', now + 30)).toEqual({ from: at('2026-11-19T09:20:00Z') })
    expect(calendarBounds(undefined, 'UTC', now)).toEqual({})
  })

  test('the last days are as many calendar days where one of them has 23 or 25 hours', () => {
    const lastEight = (text: string) => calendarBounds(readTimeRange('8'), 'America/New_York', at(text))
    expect(lastEight('2026-03-15T00:30:00-04:00')).toEqual({ from: at('2026-03-08T00:00:00-05:00') })
    expect(lastEight('2026-11-07T23:30:00-05:00')).toEqual({ from: at('2026-10-31T00:00:00-04:00') })
  })

  test('of times to come begins now if it has no beginning, or began in this hour', () => {
    const coming = (text: string) => comingBounds(readTimeRange(text), 'UTC', now)
    expect(coming('..2026-11-22')).toEqual({ from: now, until: at('2026-11-22T23:59:59Z') })
    expect(coming('2026-11-20T09:00Z..2026-11-20T11:00Z')).toEqual({ from: now, until: at('2026-11-20T10:59:59Z') })
    expect(coming('2026-11-20..2026-11-22').from).toBe(at('2026-11-20T00:00:00Z'))
    expect(coming('..2026-11-19')).toEqual({ from: undefined, until: at('2026-11-19T23:59:59Z') })
    expect(coming('')).toEqual({ from: undefined, until: undefined })
  })
})

describe('is called in both languages', () => {
  const text = (param: string) => plain(timeRangeText(readTimeRange(param) as { days: number }, 'UTC'))
  beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))
  test('English', () => {
    expect(text('1')).toBe('Last 24 hours')
    expect(text('2026-11-01..2026-11-20')).toBe('Nov 1 – 20, 2026')
    expect(text('2026-11-01..')).toBe('From Nov 1, 2026')
    expect(text('..2026-11-20')).toBe('Until Nov 20, 2026')
    expect(text('2026-11-20T14:00Z..2026-11-20T18:00Z')).toBe('Nov 20, 2026, 2:00 – 6:00 PM')
  })
  test('Portuguese', () => {
    i18n.loadAndActivate({ locale: 'pt-BR', messages })
    expect(text('2026-11-01..')).toBe('Desde 1 de nov. de 2026')
    expect(text('..2026-11-20')).toBe('Até 20 de nov. de 2026')
  })
})
