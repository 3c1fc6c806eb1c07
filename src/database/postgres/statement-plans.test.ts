import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { PostgresPlans } from '#testing/plans/postgres-plans.ts'
import { testEngine } from '#testing/start-test-app.ts'
import type { Schema } from '../schema.ts'
import { searchedRows } from './searched-rows.ts'

/** What the test apps read of PostgreSQL's plans, and that a lost index makes them red. */
describe.runIf(testEngine === 'postgres')('the plans of PostgreSQL at a million rows', () => {
  let plans: PostgresPlans
  beforeAll(async () => {
    plans = await PostgresPlans.open(await freshPostgresUrl())
  })
  afterAll(() => plans.close())

  test.each<[string, unknown[]]>([
    ['select count(*) from "users" where "app_id" = $1 and "email" = $2', ['a', 'b']],
    ['select * from "licenses" as "l" where "notes" = $1', ['a']],
    ['select "id" from "licenses" where "app_id" = $1 and "used" = $2 order by "id" limit $3', ['a', 0, 50]],
    ['select "id" from "licenses" where "app_id" = $1 order by "notes" limit $2', ['a', 50]],
    ['select "id" from "licenses" where "app_id" = $1 order by "id" limit $2', ['a', 5000]],
    ['select count(*) from "licenses" where "app_id" = $1 and "expires_at" > $2 and "banned" = 0', ['a', 5]],
    ['delete from "audit" where "at" < $1', [5]],
  ])('%s is a scan', async (sql, values) => {
    expect(await plans.scansOf(sql, values)).not.toEqual([])
  })

  test.each<[string, unknown[]]>([
    ['select * from "licenses" where "app_id" = $1 and "license" in ($2, $3) order by "id"', ['a', 'b', 'c']],
    ['select "id" from "licenses" where "app_id" = $1 order by "id" desc limit $2', ['a', 50]],
    ['select "id" from "licenses" where "app_id" = $1 and "id" > $2 order by "id" limit $3', ['a', 5, 50]],
    ['select "id" from "logs" where "id" > $1 and "id" <= $2', [5, 1000]],
    ['update "users" set "banned" = $1 where "app_id" = $2 and "id" in ($3, $4)', [1, 'a', 5, 6]],
    ['select count(*) from "user_subscriptions" where "app_id" = $1 and "user_id" = $2', ['a', 5]],
  ])('%s is not a scan', async (sql, values) => {
    expect(await plans.scansOf(sql, values)).toEqual([])
  })

  test.each<[index: string, sql: string, values: unknown[]]>([
    [
      'client_sessions_license',
      'update "client_sessions" set "ended_code" = $1 where "app_id" = $2 and "ended_code" is null and "license_id" = $3',
      ['x', 'a', 5],
    ],
    ['logs_ip', 'select * from "logs" where "app_id" = $1 and "ip" = $2', ['a', 'b']],
    ['job_lanes_due', 'select * from "job_lanes" where "kind" = $1 order by "next_at" limit $2', ['a', 10]],
    [
      'download_events_age',
      'delete from "download_events" where ctid in (select ctid from "download_events" where at < $1 order by at limit $2)',
      [5, 1000],
    ],
  ])('without the index %s it is a scan', async (index, sql, values) => {
    expect(await plans.scansOf(sql, values)).toEqual([])
    const without = await PostgresPlans.open(await freshPostgresUrl(), `drop index ${index}`)
    try {
      expect(await without.scansOf(sql, values)).not.toEqual([])
    } finally {
      await without.close()
    }
  })

  test.each(['licenses', 'users'] as const)('a search of %s for punctuation uses its trigram index', async (table) => {
    const search = { appId: 'a', text: 'p-7' }
    const { sql, parameters } = searchedRows(uncalled, { table, columns: [] }, search).query.select('app_id').compile()
    const scans = await plans.scansOf(sql, [...parameters])
    expect(scans).toHaveLength(1)
    expect(scans[0]).toContain(`Bitmap Index Scan ${table}_search`)
    expect(scans[0]).toContain(`~~* '%pq7%'`)
  })
})

/** Only compiles. */
const uncalled = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
