import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Span } from '#features/overview/overview.rules.ts'

/** New rows of the whole platform per hour. All of these read many rows: for `reports`. */

export interface HourCount {
  hour: number
  count: number
}

const newRows = {
  owners: { table: 'accounts', where: sql`password_hash <> ''` },
  apps: { table: 'apps', where: sql`deleted_at is null` },
  users: { table: 'users', where: sql`1 = 1` },
  licenses: { table: 'licenses', where: sql`1 = 1` },
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
