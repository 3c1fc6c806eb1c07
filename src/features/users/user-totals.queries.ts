import type { Reader } from '#database/database.ts'

/** How many users each of these apps has, from the counts that triggers keep. */
export async function countUsersOfApps(db: Reader, appIds: readonly string[]): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_counts')
    .select((select) => ['app_id', select.fn.sum<number>('count').as('n')])
    .where('app_id', 'in', [...appIds])
    .groupBy('app_id')
    .execute()
  return new Map(rows.map((row) => [row.app_id, Number(row.n)]))
}
