import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReportPlans } from '#testing/plans/report-plans.ts'
import { countByValue } from './log-facets.reads.ts'
import { countAppLogs, countCustomers, countInBuckets, listLogs } from './logs.reads.ts'
import { customerFilters, maxBuckets, maxCustomerLogs, maxHistogramEntries } from './logs.rules.ts'

let plans: ReportPlans
/** On PostgreSQL, for the plan as a whole. */
let client: pg.Client | undefined

beforeAll(async () => {
  plans = await ReportPlans.open()
  if (plans.url === '') return
  client = new pg.Client({ connectionString: plans.url })
  await client.connect()
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
})
afterAll(async () => {
  await client?.end()
  await plans.close()
})

async function planOf(text: string, values: readonly unknown[]): Promise<string> {
  if (!client) return (await plans.scansOf(text, values)).join('\n')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('the histogram of a period reads an index alone', async () => {
  const edges = Array.from({ length: maxBuckets + 1 }, (_, at) => 1_700_000_000 + at * 3600)
  const statements = await plans.statementsOf((reader) =>
    countInBuckets(reader, { appId: 'app' }, { edges, max: maxHistogramEntries }),
  )
  expect(statements).toHaveLength(1)
  const [[text, values] = ['', []]] = statements
  expect(text).toContain('limit')
  // On PostgreSQL, nothing stands between the index and the limit: neither a sort nor a filter.
  const alone = client
    ? /Limit .*\n\s+->\s+Index Only Scan Backward using logs_results .*\n\s+Index Cond: \(\(app_id = .*\(at >= .*\(at < [^\n]*$/
    : /^SEARCH logs USING COVERING INDEX logs_results \(app_id=\? AND at>\? AND at<\?\) [^\n]*$/
  expect(await planOf(text, values)).toMatch(alone)
})

test('the number of entries of an app and the newest of them are read together, from an index alone', async () => {
  const statements = await plans.statementsOf((reader) => countAppLogs(reader, 'app'))
  expect(statements).toHaveLength(1)
  const [[text, values] = ['', []]] = statements
  const alone = client
    ? /Index Only Scan using \S+ on logs .*\n\s+Index Cond: \(app_id = [^\n]*$/
    : /^SEARCH logs USING COVERING INDEX logs_\w+ \(app_id=\?\)[^\n]*$/
  expect(await planOf(text, values)).toMatch(alone)
})

test('several codes and calls, and the counts of values, are read in the order of time', async () => {
  const choice = { appId: 'app', code: 'LICENSE_BANNED,USER_BANNED', call: 'login,license' }
  const lists = await plans.statementsOf((reader) => listLogs(reader, { ...choice, offset: 5000, limit: 50 }))
  const counts = await plans.statementsOf((reader) => countByValue(reader, choice, 10_000))
  expect([lists.length, counts.length]).toEqual([1, 3])
  for (const [text, values] of [...lists, ...counts])
    expect(await planOf(text, values), text).toMatch(/\blogs_(time|results)\b/)
})

test.each(customerFilters)(
  'entries of %s customers, and their number, are read in the order of time',
  async (customers) => {
    const choice = { appId: 'app', customers, from: 1_700_000_000 }
    const lists = await plans.statementsOf((reader) => listLogs(reader, { ...choice, offset: 5000, limit: 50 }))
    const counts = await plans.statementsOf((reader) => countCustomers(reader, choice, maxCustomerLogs))
    expect([lists.length, counts.length]).toEqual([1, 1])
    for (const [text, values] of [...lists, ...counts])
      expect(await planOf(text, values), text).toMatch(/\blogs_(time|results)\b/)
  },
)
