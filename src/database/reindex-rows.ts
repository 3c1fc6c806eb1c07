import { sql } from 'kysely'
import type { Transaction } from './database.ts'
import { isPostgres } from './engine-differences.ts'

/**
 * For rows inserted with a previous ID: SQLite's search index finds new rows by their IDs, which are higher than those it
 * contains.
 */
export async function reindexRows(
  trx: Transaction,
  table: 'licenses' | 'users',
  appId: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0 || isPostgres(trx)) return
  await sql`insert into search_changes (source, row_id, app_id)
    select ${table}, value, ${appId} from json_each(${JSON.stringify(ids)})`.execute(trx)
}
