import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateSqlite } from '#database/migrate.ts'
import { keepStatistics } from '#database/sqlite/planner-statistics.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { PostgresPlans } from '#testing/plans/postgres-plans.ts'
import { SqlitePlans, type StatementPlans } from '#testing/plans/statement-plans.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { pageOfUsersWith } from './seller-users.reads.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** The plans of an engine at a million rows; `change` is SQL that makes its tables differ from the server's. */
async function plansAfter(change: string): Promise<StatementPlans & { close?: () => Promise<void> }> {
  if (testEngine === 'postgres') return PostgresPlans.open(await freshPostgresUrl(), change)
  const connection = new SqliteConnection(':memory:')
  migrateSqlite(connection)
  keepStatistics(connection)
  if (change) connection.database.exec(change)
  return new SqlitePlans(connection)
}

/** All three columns of the index; the plans' statistics don't know that of its expression. */
const wholeIndex = /user_variables_value \(+app_id.+name.+(<expr>=\?|substr\(data, 1, 64\) = )/

test('the users of a value are read through its index; without the index it is a scan', async () => {
  const choice = { appId: 'app_AAAAAAAAAAAAAAAA', name: 'discord', value: '81', offset: 0, limit: 10 }
  const { sql, parameters } = pageOfUsersWith(app.db.reports, choice).compile()
  for (const [change, isScan] of [
    ['', false],
    ['drop index user_variables_value', true],
  ] as const) {
    const plans = await plansAfter(change)
    const scans = (await plans.scansOf(sql, parameters)).filter((step) => !wholeIndex.test(step))
    expect(scans.length > 0, scans.join('\n')).toBe(isScan)
    await plans.close?.()
  }
})
