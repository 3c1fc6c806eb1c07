import { expect, test } from 'vitest'
import { SqlitePlans } from '#testing/plans/statement-plans.ts'
import { migrateSqlite } from '../migrate.ts'
import { keepStatistics, plannerStatistics } from './planner-statistics.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const named = Object.values(plannerStatistics).flatMap(({ indexes }) => Object.keys(indexes))

function newDatabase(): SqliteConnection {
  const connection = new SqliteConnection(':memory:')
  migrateSqlite(connection)
  return connection
}

test('every index has statistics, and no statistics are for a missing index', () => {
  const { rows } = newDatabase().run("select name from sqlite_schema where type = 'index' order by name", [])
  const existing = rows
    .map(({ name }) => name)
    .filter((name) => !String(name).startsWith('sqlite_autoindex_migrations'))
  expect(named.toSorted()).toEqual(existing)
})

test('they are written once, and again when a version changes them', () => {
  const connection = newDatabase()
  const stored = () => connection.run('select * from sqlite_stat1 order by idx', []).rows
  keepStatistics(connection)
  const first = stored()
  connection.run("delete from sqlite_stat1 where idx = 'licenses_app'", [])
  keepStatistics(connection)
  expect(stored()).toEqual(first)
  expect(first.length).toBe(named.length)
})

const lockNamed = 'select * from "licenses" where "app_id" = ? and "license" in (?, ?, ?, ?, ?) order by "id"'
const endOfLicense =
  'update "client_sessions" set "ended_code" = ? where "app_id" = ? and "ended_code" is null and "license_id" in (?)'

test('five named rows are found by name, not by reading all rows of the app', async () => {
  expect(await new SqlitePlans().scansOf(lockNamed)).toEqual([])
  expect(await new SqlitePlans(newDatabase()).scansOf(lockNamed)).not.toEqual([])
})

test('the sessions of a license are found by the license', async () => {
  expect(await new SqlitePlans().scansOf(endOfLicense)).toEqual([])
  const connection = newDatabase()
  connection.run('drop index client_sessions_license', [])
  keepStatistics(connection)
  expect(await new SqlitePlans(connection).scansOf(endOfLicense)).not.toEqual([])
})

test.each([
  'select count(*) from "users" where "app_id" = ? and "email" = ?',
  'select * from "licenses" as "l" where "notes" = ?',
  'select "id" from "licenses" where "app_id" = ? and "used" = ? order by "id" limit ?',
  'select count(*) from "licenses" where "app_id" = ? and "expires_at" > ? and "banned" = 0',
  'delete from "audit" where "at" < ?',
])('%s is a scan', async (sql) => {
  expect(await new SqlitePlans().scansOf(sql)).not.toEqual([])
})

test.each([
  'select * from "licenses" where "app_id" = ? and "license" = ?',
  'select "id" from "licenses" where "app_id" = ? order by "id" desc limit ?',
  'update "users" set "banned" = ? where "app_id" = ? and "id" in (?, ?, ?)',
  'select count(*) from "user_subscriptions" where "app_id" = ? and "user_id" = ?',
])('%s is not a scan', async (sql) => {
  expect(await new SqlitePlans().scansOf(sql)).toEqual([])
})
