import type { SelectQueryBuilder } from 'kysely'

/** Number of rows that a query matches. The query selects no columns. */
export async function countAll<DB, T extends keyof DB>(query: SelectQueryBuilder<DB, T, {}>): Promise<number> {
  const counted = query.select((select) => select.fn.countAll<number>().as('n'))
  const { n } = (await counted.executeTakeFirstOrThrow()) as { n: number }
  return Number(n)
}
