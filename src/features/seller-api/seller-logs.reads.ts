import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Log } from '#features/logs/logs.reads.ts'

/** Entries of the log by their time. */

interface LogsChoice {
  appId: string
  call?: string | undefined
  code?: string | undefined
  rejected?: boolean | undefined
  /** Complete username or license key. */
  credential?: string | undefined
  /** Epoch seconds, inclusive. */
  from?: number | undefined
  to?: number | undefined
}

/** The position of an entry in the order of the log. */
export interface LogPosition {
  at: number
  id: number
}

function filterLogs(db: Reader, { appId, call, code, rejected, from, to, ...choice }: LogsChoice) {
  const credential = choice.credential?.trim() ?? ''
  let query = db.selectFrom('logs').where('app_id', '=', appId)
  if (call) query = query.where('call', '=', call)
  if (code) query = query.where('code', '=', code)
  if (rejected !== undefined) query = query.where('code', rejected ? '<>' : '=', '')
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<=', to)
  if (credential === '') return query
  return query.where((where) => where.or([where('username', '=', credential), where('license', '=', credential)]))
}

export async function countLogs(db: Reader, choice: LogsChoice): Promise<number> {
  const { n } = await filterLogs(db, choice)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Newest first. */
export const listLogs = (db: Reader, choice: LogsChoice, { offset = 0, limit }: { offset?: number; limit: number }) =>
  filterLogs(db, choice).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()

/** The next entries after a position, oldest first. */
export const listLogsAfter = (
  db: Reader,
  choice: LogsChoice,
  { after, limit }: { after: LogPosition; limit: number },
): Promise<Log[]> =>
  filterLogs(db, choice)
    .selectAll()
    .where(sql<boolean>`(at, id) > (${after.at}, ${after.id})`)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()
