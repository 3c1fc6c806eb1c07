import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { openSqlite } from '#database/sqlite/open-sqlite.ts'
import { PostgresPlans } from '#testing/plans/postgres-plans.ts'
import { SqlitePlans, type StatementPlans } from '#testing/plans/statement-plans.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import type { GrowthFilter } from './growth.reads.ts'
import { countOwners, listOwners } from './owners.reads.ts'

/** These run as reports, whose plans the test apps don't check. */
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

/** Apps are read from end to end, as owners are: there are few of them. */
const tables: Record<Exclude<GrowthFilter['growth'], 'apps'>, string> = {
  users: 'users',
  licenses: 'licenses',
  signIns: 'activity_hours',
}

test.each(Object.entries(tables) as [keyof typeof tables, string][])(
  'owners of new %s: the rows of %s are not read from end to end, but found by an index of each app',
  async (growth, table) => {
    statements = []
    const filter = { growth, growthFrom: 1_700_000_000, growthUntil: 1_700_600_000 }
    await countOwners(db.read, filter, 1_700_600_000)
    await listOwners(db.read, { ...filter, offset: 0, limit: 10 }, 1_700_600_000)
    expect(statements).toHaveLength(2)
    for (const [text, values] of statements) {
      expect(text).toContain(table)
      const steps = await plans.scansOf(text, values)
      const own = steps.filter((step) => step.includes(table))
      for (const step of own) expect(step).toMatch(/Index Scan|SEARCH/)
      for (const step of own) expect(step).toMatch(/\bapp_id ?=/)
    }
  },
)
