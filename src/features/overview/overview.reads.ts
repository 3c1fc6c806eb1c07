import { countAll } from '#database/count-all.ts'
import { usernameKey } from '#features/users/users.rules.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { selectGivenRows } from '#database/engine-differences.ts'
import { ofExistingApp } from '#features/apps/apps.reads.ts'
import { activeCalls, signInCalls } from '#features/logs/logs.rules.ts'
import type { ActivityHoursTable } from './overview.table.ts'
import { hourSeconds, type Span } from './overview.rules.ts'

type Metric = ActivityHoursTable['metric']

const oneOf = (calls: readonly string[]) => sql`(${sql.join(calls.map((call) => sql.lit(call)))})`
const isSignIn = sql<boolean>`(code = '' and call in ${oneOf(signInCalls)})`
/** Users of these log rows are active. */
const isActive = sql<boolean>`(code = '' and call in ${oneOf(activeCalls)})`
/** Log rows that are counted by hour: rejections and sign-ins. */
const isCounted = sql<boolean>`(code <> '' or call in ${oneOf(signInCalls)})`

/** Maximum uncounted rows that a reader counts itself; more would make the page slow. */
const maxUncounted = 50_000

interface AppSpan extends Span {
  appId: string
}

export const readProgress = (db: Reader) =>
  db.selectFrom('activity_progress').select(['counted_id', 'seen_id']).executeTakeFirstOrThrow()

/** ID of the last log row; 0 if the log is empty. */
export async function lastLogId(db: Reader): Promise<number> {
  const row = await db.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return Number(row?.id ?? 0)
}

/** Log rows after an ID that count, or whose users do. */
export const listCounted = (db: Reader, { after, upTo }: { after: number; upTo: number }) =>
  db
    .selectFrom('logs')
    .select(['app_id', 'at', 'call', 'code', 'username', 'country'])
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where(sql<boolean>`(${isCounted} or ${isActive})`)
    .execute()

export type CountedLog = Awaited<ReturnType<typeof listCounted>>[number]

/**
 * The app's log rows that are not in the hourly counts yet. Used in the statement that reads the counts, so that no row
 * is counted twice. Selected by ID range, which has few rows; the expressions keep the planner from using an index on
 * app or time, which would cover all of them.
 */
const uncountedOf = ({ appId, first, last }: AppSpan) => sql`
  id > (select counted_id from activity_progress)
    and id <= (select counted_id + ${sql.lit(maxUncounted)} from activity_progress)
    and app_id || '' = ${appId}
    and +at >= cast(${first * 3600} as bigint) and +at < cast(${last * 3600} as bigint)`

/** Activity per hour, by metric and label. */
export async function countByHour(db: Reader, span: AppSpan) {
  const { appId, first, last } = span
  const { rows } = await sql<{ hour: number; metric: Metric; label: string; count: number }>`
    select hour, metric, label, sum(count) as count from (
      select hour, metric, label, count from activity_hours
      where app_id = ${appId} and hour >= cast(${first} as bigint) and hour < cast(${last} as bigint)
      union all
      select at / 3600 as hour, case when code = '' then 'sign-in' else 'refusal' end as metric,
        case when code = '' then country else code end as label, count(*) as count
      from logs where ${uncountedOf(span)} and ${isCounted}
      group by 1, 2, 3
    ) as activity group by hour, metric, label`.execute(db)
  return rows.map(({ hour, metric, label, count }) => ({ hour: Number(hour), metric, label, count: Number(count) }))
}

const countedSignIns = ({ first, last }: Span) => sql`
  metric = 'sign-in' and hour >= cast(${first} as bigint) and hour < cast(${last} as bigint)`

/** Log rows of all apps that are not in the hourly counts yet. */
const uncountedSignIns = ({ first, last }: Span) => sql`
  id > (select counted_id from activity_progress)
    and id <= (select counted_id + ${sql.lit(maxUncounted)} from activity_progress)
    and at >= cast(${first * 3600} as bigint) and at < cast(${last * 3600} as bigint) and ${isSignIn}`

/** Sign-ins to the programs of all owners per hour. Reads many rows: for `reports`. */
export async function countSignInsByHour(reports: Reader, span: Span) {
  const { rows } = await sql<{ hour: number; count: number }>`
    select hour, sum(count) as count from (
      select hour, count from activity_hours where ${countedSignIns(span)} and ${ofExistingApp}
      union all
      select at / 3600 as hour, count(*) as count from logs where ${uncountedSignIns(span)} and ${ofExistingApp}
      group by 1
    ) as sign_ins group by hour`.execute(reports)
  return rows.map(({ hour, count }) => ({ hour: Number(hour), count: Number(count) }))
}

/** Whether the app with this ID, a column, has sign-ins that `countSignInsByHour` counts. */
export const hasSignIns = (appId: RawBuilder<unknown>, span: Span) => sql<boolean>`(
  (select 1 from activity_hours where app_id = ${appId} and ${countedSignIns(span)} limit 1) = 1
  or ${appId} in (select app_id from logs where ${uncountedSignIns(span)}))`

/**
 * Number of distinct users who were active during each span; spans can overlap. Reads the log before the hours: activity
 * aggregated in between is then in both, but as the same user, so it counts once.
 */
export async function countActiveUsers(
  db: Reader,
  { spans, ...whole }: AppSpan & { spans: readonly Span[] },
): Promise<number[]> {
  const live = await liveUsers(db, whole)
  // Almost always only the last span; the others skip the search in uncounted rows.
  const isLive = spans.map(({ first, last }) => (live.some(([hour]) => hour >= first && hour < last) ? 1 : 0))
  const { rows } = await sql<{ count: number }>`
    with ${spanTable(db, spans, isLive)}, ${liveTable(db, live)}
    select case when flag = 0 then (
      select count(distinct username_key) from activity_users
      where app_id = ${whole.appId} and hour >= span.first and hour < span.last
    ) else (
      select count(*) from (
        select username_key from activity_users
        where app_id = ${whole.appId} and hour >= span.first and hour < span.last
        union
        select username_key from live where hour >= span.first and hour < span.last
      ) as users
    ) end as count
    from span order by number`.execute(db)
  return rows.map(({ count }) => Number(count))
}

/** Number of distinct users who were active since the beginning of a span that ends now. */
export async function countActiveSince(db: Reader, whole: AppSpan): Promise<number> {
  const live = await liveUsers(db, whole)
  const { rows } = await sql<{ count: number }>`
    with ${liveTable(db, live)}
    select count(*) as count from (
      select username_key from activity_last where app_id = ${whole.appId} and hour >= cast(${whole.first} as bigint)
      union
      select username_key from live
    ) as users`.execute(db)
  return Number(rows[0]?.count)
}

/** Number of users whose last sign-in was in an hour or later: active ones that were not deleted since. */
export const countExistingActive = (db: Reader, { appId, first }: Omit<AppSpan, 'last'>): Promise<number> =>
  countAll(
    db
      .selectFrom('users')
      .where('app_id', '=', appId)
      .where('last_login_at', '>=', first * hourSeconds),
  )

type LiveUser = readonly [hour: number, usernameKey: string]

/** Users who were active, by hour, in log rows that are not counted yet. */
async function liveUsers(db: Reader, whole: AppSpan): Promise<LiveUser[]> {
  const { rows } = await sql<{ hour: number; username: string }>`
    select distinct at / 3600 as hour, username from logs
    where ${uncountedOf(whole)} and ${isActive} and username <> ''`.execute(db)
  return rows.map(({ hour, username }) => [Number(hour), usernameKey(username)] as const)
}

const liveTable = (db: Reader, live: readonly LiveUser[]) =>
  sql`live as materialized (${selectGivenRows(db, { hour: 'bigint', username_key: 'text' }, live)})`

/** The first hour of an app that is counted and still stored; undefined if there is none. */
export async function firstCountedHour(db: Reader, appId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('activity_hours')
    .select('hour')
    .where('app_id', '=', appId)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return row && Number(row.hour)
}

/** The spans as a table: counting each one by index is faster than grouping all rows. */
function spanTable(db: Reader, spans: readonly Span[], flags: readonly number[] = []) {
  const rows = spans.map(({ first, last }, number) => [number, first, last, flags[number] ?? 0])
  const columns = { number: 'bigint', first: 'bigint', last: 'bigint', flag: 'bigint' } as const
  return sql`span as materialized (${selectGivenRows(db, columns, rows)})`
}

interface TimedRows {
  table: 'licenses' | 'users'
  column: 'used_at' | 'created_at' | 'expires_at'
  where?: RawBuilder<unknown>
}

/** Number of an app's rows whose time is in each span. */
async function countInSpans(
  db: Reader,
  { appId, spans, table, column, where = sql`1 = 1` }: AppSpans & TimedRows,
): Promise<number[]> {
  const time = sql.ref(column)
  const { rows } = await sql<{ count: number }>`
    with ${spanTable(db, spans)}
    select (
      select count(*) from ${sql.table(table)} where app_id = ${appId} and ${where}
        and ${time} >= span.first * 3600 and ${time} < span.last * 3600
    ) as count from span order by number`.execute(db)
  return rows.map(({ count }) => Number(count))
}

interface AppSpans {
  appId: string
  spans: readonly Span[]
}

/** Licenses by time of redemption; deleted licenses are not included. */
export const countRedeemed = (db: Reader, of: AppSpans): Promise<number[]> =>
  countInSpans(db, { ...of, table: 'licenses', column: 'used_at' })

export const countNewUsers = (db: Reader, of: AppSpans): Promise<number[]> =>
  countInSpans(db, { ...of, table: 'users', column: 'created_at' })

/** Licenses that are not banned and expire at or after `from` (epoch seconds). */
export const countExpiring = (db: Reader, { from, ...of }: AppSpans & { from: number }) =>
  countInSpans(db, {
    ...of,
    table: 'licenses',
    column: 'expires_at',
    where: sql`banned = 0 and expires_at >= cast(${from} as bigint)`,
  })

/** Whether more log rows are uncounted than readers count themselves. */
export async function isBehind(db: Reader): Promise<boolean> {
  const { counted_id } = await readProgress(db)
  return (await lastLogId(db)) - Number(counted_id) > maxUncounted
}

export interface AppHour {
  table: 'activity_hours' | 'activity_users' | 'activity_last'
  app_id: string
  hour: number
}

/** The oldest row, of any app, from before `hour`. */
export async function oldestHourBefore(
  db: Reader,
  table: AppHour['table'],
  hour: number,
): Promise<AppHour | undefined> {
  const oldest = await db
    .selectFrom(table)
    .select(['app_id', 'hour'])
    .where('hour', '<', hour)
    .orderBy('hour')
    .orderBy('app_id')
    .limit(1)
    .executeTakeFirst()
  return oldest && { table, ...oldest }
}
