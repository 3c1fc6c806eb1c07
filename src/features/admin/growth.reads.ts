import { type RawBuilder, sql } from 'kysely'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import type { Reader } from '#database/database.ts'
import { ofExistingApp } from '#features/apps/apps.reads.ts'
import { hasSignIns } from '#features/overview/overview.reads.ts'
import { hoursWithin, type Span } from '#features/overview/overview.rules.ts'

/** New rows of the whole platform per hour, and the owners behind them. All of these read many rows: for `reports`. */

export interface HourCount {
  hour: number
  count: number
}

const newRows = {
  owners: { table: 'accounts', where: sql`password_hash <> ''` },
  apps: { table: 'apps', where: sql`deleted_at is null` },
  users: { table: 'users', where: ofExistingApp },
  licenses: { table: 'licenses', where: ofExistingApp },
} satisfies Record<string, { table: string; where: RawBuilder<unknown> }>

export type NewRows = keyof typeof newRows

/** Rows that still exist, by the hour of their creation. Hours without any are left out. */
export async function countNewByHour(db: Reader, name: NewRows, { first, last }: Span): Promise<HourCount[]> {
  const { table, where } = newRows[name]
  const { rows } = await sql<HourCount>`
    select created_at / 3600 as hour, count(*) as count from ${sql.table(table)}
    where ${where} and created_at >= cast(${first * 3600} as bigint) and created_at < cast(${last * 3600} as bigint)
    group by 1`.execute(db)
  return rows.map(({ hour, count }) => ({ hour: Number(hour), count: Number(count) }))
}

/** When the first account was created, in epoch seconds. */
export async function findFirstAccount(db: Reader): Promise<number> {
  const { at } = await db
    .selectFrom('accounts')
    .select((select) => select.fn.min('created_at').as('at'))
    .executeTakeFirstOrThrow()
  return Number(at ?? 0)
}

export interface GrowthFilter {
  growth: 'apps' | 'users' | 'licenses' | 'signIns'
  /** Both inclusive, in epoch seconds. */
  growthFrom?: number | undefined
  growthUntil?: number | undefined
}

/** Whether rows of the account in a statement on `accounts` are among those that growth counts. */
export function hasGrowth({ growth, growthFrom = 0, growthUntil = maxEpochSeconds }: GrowthFilter) {
  const [from, until] = [growthFrom, growthUntil].map((at) => sql`cast(${at} as bigint)`)
  const isCreated = sql`created_at >= ${from} and created_at <= ${until}`
  const inApp = {
    apps: sql`app.created_at >= ${from} and app.created_at <= ${until}`,
    // Subqueries with a limit, so that PostgreSQL looks into each app instead of reading the rows of all.
    users: sql`(select 1 from users where app_id = app.id and ${isCreated} limit 1) = 1`,
    // No index has the time. The newest are read first: an app that has grown of late answers at once.
    licenses: sql`(select 1 from licenses where app_id = app.id and ${isCreated} order by id desc limit 1) = 1`,
    signIns: hasSignIns(sql`app.id`, hoursWithin({ from: growthFrom, until: growthUntil })),
  }
  return sql<boolean>`exists (select 1 from apps app
    where app.owner_id = accounts.id and app.deleted_at is null and ${inApp[growth]})`
}
