import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { openSqlite } from '#database/sqlite/open-sqlite.ts'
import { SqlitePlans } from '#testing/plans/statement-plans.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { countInBuckets } from './logs.reads.ts'
import { maxBuckets, maxHistogramEntries } from './logs.rules.ts'

/** It runs as a report, whose plans the test apps don't check. */
let db: Database
let client: pg.Client | undefined
let directory: string
const statements: [text: string, values: readonly unknown[]][] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signet-plans-'))
  const onStatement = (text: string, values: readonly unknown[] = []) => void statements.push([text, values])
  if (testEngine === 'postgres') {
    const url = await freshPostgresUrl()
    db = await openPostgres({ url, onStatement })
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
  } else {
    db = await openSqlite({ file: join(directory, 'plans.db'), sources: [], onStatement })
  }
})
afterAll(async () => {
  await db.close()
  await client?.end()
  await rm(directory, { recursive: true })
})

async function planOf(text: string, values: readonly unknown[]): Promise<string> {
  if (!client) return (await new SqlitePlans().scansOf(text)).join('\n')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('the histogram of a period reads an index alone', async () => {
  statements.length = 0
  const edges = Array.from({ length: maxBuckets + 1 }, (_, at) => 1_700_000_000 + at * 3600)
  await countInBuckets(db.read, { appId: 'app' }, { edges, max: maxHistogramEntries })
  expect(statements).toHaveLength(1)
  const [[text, values] = ['', []]] = statements
  expect(text).toContain('limit')
  // On PostgreSQL, nothing stands between the index and the limit: neither a sort nor a filter.
  const alone = client
    ? /Limit .*\n\s+->\s+Index Only Scan Backward using logs_results .*\n\s+Index Cond: \(\(app_id = .*\(at >= .*\(at < [^\n]*$/
    : /^SEARCH logs USING COVERING INDEX logs_results \(app_id=\? AND at>\? AND at<\?\) [^\n]*$/
  expect(await planOf(text, values)).toMatch(alone)
})
