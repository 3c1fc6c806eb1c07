import { type RawBuilder, sql } from 'kysely'

/** Sets a different value for each row in one update: `case id when 7 then 60 when 8 then null end`. */
export function valueById<V extends number | string>(
  id: string,
  values: ReadonlyMap<number, V | null>,
  type: 'bigint' | 'text' = 'bigint',
): RawBuilder<V> {
  const cases = [...values].map(([key, value]) => sql`when ${key} then cast(${value} as ${sql.raw(type)})`)
  return sql<V>`case ${sql.ref(id)} ${sql.join(cases, sql` `)} end`
}
