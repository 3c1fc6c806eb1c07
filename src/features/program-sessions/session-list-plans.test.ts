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
import { countSessionsByCountry, countSessionsByStatus } from '../session-store/session-store.reads.ts'
import { countSessions, listSessions } from './program-sessions.reads.ts'

/** These run as reports, whose plans the test apps don't check: the counts come from an index, a machine is found in one. */
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

const now = 1_700_000_000

/** The steps of its only statement that may read many rows. */
async function scansOf(read: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  statements = []
  await read(db.read)
  const own = statements.filter(([text]) => text.includes('client_sessions'))
  expect(own).toHaveLength(1)
  const [[text, values] = ['', []]] = own
  return plans.scansOf(text, values)
}

test.each<[name: string, read: (reader: Reader) => Promise<unknown>]>([
  ['by status', (reader) => countSessionsByStatus(reader, 'app', now)],
  ['by country', (reader) => countSessionsByCountry(reader, 'app', now)],
])('the counts %s read one range of an index', async (_, read) => {
  const steps = await scansOf(read)
  expect(steps).toHaveLength(1)
  expect(steps[0]).toMatch(/client_sessions_counts/)
  expect(steps[0]).not.toMatch(/Seq Scan|^SCAN/)
})

test('the sessions of a machine are read from an index', async () => {
  const filter = { appId: 'app', hwid: 'abcdefghijkl', listedAt: now }
  // Neither kind of plan tells how few rows an expression in an index selects.
  const byMachine = [expect.stringMatching(/client_sessions_device.*app_id.*(<expr>|substr)/)]
  expect(await scansOf((reader) => countSessions(reader, filter))).toEqual(byMachine)
  expect(await scansOf((reader) => listSessions(reader, { ...filter, offset: 0, limit: 10 }))).toEqual(byMachine)
})
