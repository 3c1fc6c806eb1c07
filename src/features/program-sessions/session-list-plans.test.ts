import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reader } from '#database/database.ts'
import { ReportPlans } from '#testing/plans/report-plans.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { countSessionsByCountry, countSessionsByStatus } from '../session-store/session-store.reads.ts'
import { countSessions, listSessions } from './program-sessions.reads.ts'

/** The counts of reports come from an index, and a machine is found in one. */
let plans: ReportPlans

beforeAll(async () => {
  plans = await ReportPlans.open()
})
afterAll(() => plans.close())

const now = 1_700_000_000

const scansOf = (read: (reader: Reader) => Promise<unknown>) => plans.scansOfTable('client_sessions', read)

test.each<[name: string, read: (reader: Reader) => Promise<unknown>]>([
  ['by status', (reader) => countSessionsByStatus(reader, 'app', now)],
  ['by country', (reader) => countSessionsByCountry(reader, 'app', now)],
])('the counts %s read one range of an index', async (_, read) => {
  const steps = await scansOf(read)
  expect(steps).toHaveLength(1)
  expect(steps[0]).toMatch(/client_sessions_counts/)
  expect(steps[0]).not.toMatch(/Seq Scan|^SCAN/)
})

test('sessions that started in a period, and those in the order of their end, are read from an index', async () => {
  const filter = { appId: 'app', listedAt: now, offset: 0, limit: 10 }
  const steps = (more: object) => scansOf((reader) => listSessions(reader, { ...filter, ...more }))
  const period = [expect.stringMatching(/client_sessions_list.*app_id.*created_at/)]
  expect(await steps({ createdFrom: now - 86_400 })).toEqual(period)
  expect(await steps({ createdFrom: now - 86_400, createdUntil: now, sort: 'created' })).toEqual(period)
  // PostgreSQL reads no more than the page, which is no step that may read many rows.
  const byEnd = /client_sessions_(counts|active).*app_id.*expires_at/
  for (const sort of ['expires', '-expires'])
    expect((await steps({ sort })).filter((step) => !byEnd.test(step))).toEqual([])
})

test('the sessions of a machine are read from an index', async () => {
  const filter = { appId: 'app', hwid: 'abcdefghijkl', listedAt: now }
  // Plans of PostgreSQL don't tell how few rows the expression in the index selects.
  const byMachine = testEngine === 'postgres' ? [expect.stringMatching(/client_sessions_device.*app_id.*substr/)] : []
  expect(await scansOf((reader) => countSessions(reader, filter))).toEqual(byMachine)
  expect(await scansOf((reader) => listSessions(reader, { ...filter, offset: 0, limit: 10 }))).toEqual(byMachine)
})
