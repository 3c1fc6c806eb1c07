import { type RawBuilder, sql } from 'kysely'

/** A value of its own for each row of one update: `case id when 7 then 60 when 8 then null end`. */
export function valueById(id: string, values: ReadonlyMap<number, number | null>): RawBuilder<number> {
  const cases = [...values].map(([key, value]) => sql`when ${key} then cast(${value} as bigint)`)
  return sql<number>`case ${sql.ref(id)} ${sql.join(cases, sql` `)} end`
}
