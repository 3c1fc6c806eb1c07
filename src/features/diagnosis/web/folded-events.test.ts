import { expect, test } from 'vitest'
import { foldEvents } from './folded-events.ts'
import type { DiagnosisEvent } from './why-data.ts'

const noon = Date.UTC(2026, 10, 20, 12) / 1000

/** Newest first; an event a minute. */
const timeline = (...kinds: Partial<DiagnosisEvent>[]) =>
  kinds.map((kind, index) => {
    const base = { id: String(index), timestamp: noon - index * 60, call: 'license', code: '', act: '', message: '' }
    return { ...base, credential: 'KEY', device: 'machine', ip: '203.0.113.7', ...kind } as DiagnosisEvent
  })
const rejected = { code: 'LICENSE_BANNED' }
const started = { call: 'init', credential: '', device: '' }
const ban = { call: '', act: 'license.ban', credential: '' }

const counts = (events: DiagnosisEvent[], timeZone = 'UTC') =>
  foldEvents(events, timeZone).map(({ rows }) =>
    rows.map(({ event, ids }) => `${event.code || event.act || event.call} ${ids.length}`),
  )

test('repeated rejections are one row, with the starts between them in another', () => {
  const events = timeline(rejected, started, rejected, started, rejected)
  expect(counts(events)).toEqual([['LICENSE_BANNED 3', 'init 2']])
  const [day] = foldEvents(events, 'UTC')
  expect(day?.rows[0]).toMatchObject({ first: noon - 240, last: noon, ids: ['0', '2', '4'] })
})

test("an owner's action and a sign-in separate the rejections before and after them", () => {
  expect(counts(timeline(rejected, ban, rejected, {}, rejected))).toEqual([
    ['LICENSE_BANNED 1', 'license.ban 1', 'LICENSE_BANNED 1', 'license 1', 'LICENSE_BANNED 1'],
  ])
})

test.each([[{ device: 'another' }], [{ ip: '2001:db8::1' }], [{ credential: 'OTHER' }], [{ code: 'USER_BANNED' }]])(
  'rejections that differ in %j stay apart',
  (other) => {
    const folded = counts(timeline(rejected, { ...rejected, ...other })).flat()
    expect(folded).toHaveLength(2)
  },
)

test('actions and messages are never folded', () => {
  const message = { call: 'message', message: 'hello' }
  expect(counts(timeline(ban, ban, message, message)).flat()).toHaveLength(4)
})

test("days are those of the reader's time zone", () => {
  const events = timeline(rejected, rejected)
  expect(counts(events)).toEqual([['LICENSE_BANNED 2']])
  // Noon in UTC is midnight in Auckland without its daylight saving time.
  expect(counts(events, 'Etc/GMT-12')).toEqual([['LICENSE_BANNED 1'], ['LICENSE_BANNED 1']])
})
