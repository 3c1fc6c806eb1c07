import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reader } from '#database/database.ts'
import { ReportPlans } from '#testing/plans/report-plans.ts'
import { countEnding, findRejected } from './attention.reads.ts'
import { countExistingActive, firstCountedHour } from './overview.reads.ts'

/**
 * At a million rows, each report must read a range of one index: the rows that it counts, or the newest ones up to its
 * limit.
 */
let plans: ReportPlans

beforeAll(async () => {
  plans = await ReportPlans.open()
})
afterAll(() => plans.close())

test.each<[name: string, table: string, read: (reader: Reader) => Promise<unknown>, index: RegExp]>([
  [
    'rejected customers: the newest rows of a day',
    'logs',
    (reader) => findRejected(reader, { appId: 'app', since: 1_700_000_000 }),
    /logs_results .*app_id.*\bat\b/,
  ],
  [
    'licenses that end: only those',
    'licenses',
    (reader) => countEnding(reader, 'app', 1_700_000_000),
    /licenses_expiring .*app_id.*expires_at/,
  ],
  [
    'active users who still exist: only those',
    'users',
    (reader) => countExistingActive(reader, { appId: 'app', first: 480_000 }),
    /users_last_login .*app_id.*last_login_at/,
  ],
])('%s', async (_, table, read, index) => {
  const steps = await plans.scansOfTable(table, read)
  // A range of an index counts as a scan of the app's rows; there must be no other.
  expect(steps).toHaveLength(1)
  expect(steps[0]).toMatch(index)
  expect(steps[0]).not.toMatch(/Seq Scan|^SCAN/)
})

test('the first counted hour is one row of an index', async () => {
  const statements = await plans.statementsOf((reader) => firstCountedHour(reader, 'app'))
  const [[text, values] = ['', []]] = statements.filter(([each]) => each.includes('activity_hours'))
  expect(text).toContain('limit')
  expect(await plans.scansOf(text, values)).toEqual([])
})
