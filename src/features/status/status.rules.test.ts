import { expect, test } from 'vitest'
import type { StatusPart, StatusState } from '#contract/status-parts.ts'
import {
  availability,
  countSystems,
  overallState,
  stateOfCheck,
  stateOfDay,
  stateOfErrors,
  stateOfLatency,
  stateOfMail,
  stateOfQueue,
  statusDays,
} from './status.rules.ts'

const day = { from: 0, ok: 0, degraded: 0, down: 0, unknown: 0 }

test.each([
  [{ unknown: 1440 }, 'unknown'],
  [{ ok: 1440 }, 'ok'],
  [{ ok: 1425, unknown: 15 }, 'ok'],
  [{ ok: 1424, unknown: 16 }, 'unknown'],
  [{ ok: 1439, degraded: 1 }, 'degraded'],
  [{ ok: 1436, down: 4 }, 'degraded'],
  [{ ok: 1435, down: 5 }, 'down'],
  [{ down: 5, unknown: 1435 }, 'down'],
] as const)('a day of %j is %s: minutes without measurements are never green', (counts, state) => {
  expect(stateOfDay({ ...day, ...counts })).toBe(state)
})

test("a minute that wasn't measured is unknown, and the rest of today doesn't count", () => {
  const now = 100 * 86_400 + 600
  const [yesterday, today] = statusDays({ ok: [1440, 4], degraded: [0, 1], down: [0, 0] }, now)
  expect(yesterday).toEqual({ ...day, from: 99 * 86_400, ok: 1440 })
  expect(today).toEqual({ ...day, from: 100 * 86_400, ok: 4, degraded: 1, unknown: 5 })
})

test('availability counts only measured minutes; without any it is unknown', () => {
  expect(availability([{ ...day, unknown: 1440 }])).toBeUndefined()
  expect(availability([{ ...day, ok: 900, degraded: 50, down: 50, unknown: 440 }])).toBeCloseTo(0.95)
})

const of = (states: Partial<Record<StatusPart, StatusState>>) =>
  overallState(Object.entries(states).map(([part, state]) => ({ part: part as StatusPart, state })))

test('the platform has the state of its parts; one that nobody waits for makes it degraded at most', () => {
  expect(of({ api: 'ok', database: 'ok', mail: 'off', backup: 'unknown' })).toBe('ok')
  expect(of({ api: 'ok', database: 'down' })).toBe('down')
  expect(of({ api: 'ok', database: 'ok', mail: 'down' })).toBe('degraded')
  expect(of({ api: 'ok', database: 'unknown' })).toBe('unknown')
  expect(of({ api: 'ok', database: 'ok', ledger: 'down' })).toBe('down')
})

test("a part that is unknown isn't operational; one that is off doesn't count", () => {
  const states: StatusState[] = ['ok', 'ok', 'unknown', 'off', 'degraded']
  expect(countSystems(states.map((state) => ({ state })))).toEqual({ operational: 2, unknown: 1 })
})

test('an old or missing check says nothing about now; one that found a problem reports it', () => {
  expect(stateOfCheck(undefined, 0)).toBe('unknown')
  expect(stateOfCheck({ checkedAt: 0, problems: 0 }, 3 * 3600)).toBe('ok')
  expect(stateOfCheck({ checkedAt: 0, problems: 0 }, 3 * 3600 + 1)).toBe('unknown')
  expect(stateOfCheck({ checkedAt: 0, problems: 2 }, 9 * 3600)).toBe('down')
  expect(stateOfCheck({ checkedAt: 86_400, problems: 0 }, 0)).toBe('unknown')
})

test('slow, failing, and late parts have their limits', () => {
  expect([undefined, 999, 1000, 5000].map(stateOfLatency)).toEqual(['ok', 'ok', 'degraded', 'down'])
  expect([119, 120, 1800].map(stateOfQueue)).toEqual(['ok', 'degraded', 'down'])
  const errors = (failed: number, requests: number) => stateOfErrors({ failed, requests })
  expect([errors(0, 0), errors(2, 2), errors(3, 301), errors(3, 300), errors(3, 12)]).toEqual([
    'ok',
    'ok',
    'ok',
    'degraded',
    'down',
  ])
})

test.each([
  [{ attempts: 1, failures: 0 }, 'ok'],
  [{ attempts: 2, failures: 0 }, 'degraded'],
  [{ attempts: 5, failures: 0 }, 'down'],
  [{ attempts: 0, failures: 1 }, 'degraded'],
  [{ attempts: 0, failures: 3 }, 'down'],
  [{ attempts: 2, failures: 3 }, 'down'],
] as const)('mail with %j is %s, by the worse of its two counts', (metrics, state) => {
  expect(stateOfMail(metrics)).toBe(state)
})
