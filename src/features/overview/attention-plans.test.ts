import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Reader } from '#database/database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { openSqlite } from '#database/sqlite/open-sqlite.ts'
import { PostgresPlans } from '#testing/plans/postgres-plans.ts'
import { SqlitePlans, type StatementPlans } from '#testing/plans/statement-plans.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { countEnding, findRefused } from './attention.reads.ts'
import { firstCountedHour } from './overview.reads.ts'

/**
 * These run as reports, whose plans the test apps don't check. At a million rows, each must read a range of one index:
 * the rows that it counts, or the newest ones up to its limit.
 */
let db: Database
let plans: StatementPlans & { close?: () => Promise<void> }
let directory: string
let statements: [text: string, values: readonly unknown[]][] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signet-plans-'))
  const onStatement = (text: string, values: readonly unknown[] = []) => void statements.push([text, values])
  if (testEngine === 'postgres') {
    const url = await freshPostgresUrl()
    db = await openPostgres({ url, onStatement })
    plans = await PostgresPlans.open(await freshPostgresUrl())
  } else {
    db = await openSqlite({ file: join(directory, 'plans.db'), sources: [], onStatement })
    plans = new SqlitePlans()
  }
})
afterAll(async () => {
  await db.close()
  await plans.close?.()
  await rm(directory, { recursive: true })
})

test.each<[name: string, table: string, read: (reader: Reader) => Promise<unknown>, index: RegExp]>([
  [
    'rejected customers: the newest rows of a day',
    'logs',
    (reader) => findRefused(reader, 'app', 1_700_000_000),
    /logs_results .*app_id.*\bat\b/,
  ],
  [
    'licenses that end: only those',
    'licenses',
    (reader) => countEnding(reader, 'app', 1_700_000_000),
    /licenses_expiring .*app_id.*expires_at/,
  ],
])('%s', async (_, table, read, index) => {
  statements = []
  await read(db.read)
  const own = statements.filter(([text]) => text.includes(table))
  expect(own).toHaveLength(1)
  const [[text, values] = ['', []]] = own
  const steps = await plans.scansOf(text, values)
  // A range of an index counts as a scan of the app's rows; there must be no other.
  expect(steps).toHaveLength(1)
  expect(steps[0]).toMatch(index)
  expect(steps[0]).not.toMatch(/Seq Scan|^SCAN/)
})

test('the first counted hour is one row of an index', async () => {
  statements = []
  await firstCountedHour(db.read, 'app')
  const [[text, values] = ['', []]] = statements.filter(([each]) => each.includes('activity_hours'))
  expect(text).toContain('limit')
  expect(await plans.scansOf(text, values)).toEqual([])
})
