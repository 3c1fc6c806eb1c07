import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#database/database.ts'

/** Tables a rejected call may write to: counters of attempts, session use, and delayed records of program activity. */
const bookkeeping = new Set([
  'activity_hours',
  'activity_last',
  'activity_progress',
  'activity_users',
  'alert_scans',
  'account_sessions',
  'audit_head',
  'login_failures',
  'logs',
  'migrations',
  'platform_checks',
  'reseller_sessions',
  'search_changes',
  'server_processes',
  'server_time',
  'sqlite_sequence',
  'status_days',
  'status_minutes',
  'used_nonces',
])

/** Audit rows of rejected calls: failed authentication or missing permission (R-LOG-01). */
const isRecordOfRejection = (table: string, row: object): boolean =>
  table === 'audit' && 'act' in row && /-failed$|^access\.denied$/.test(String(row.act))

/** Rows of the server's own background work, at any time. */
const isOwnWork = (table: string, row: Record<string, unknown>): boolean =>
  table === 'platform_settings'
    ? row['name'] === 'user expiry'
    : (table === 'jobs' || table === 'job_lanes') && (row['lane'] === '' || String(row['kind']).startsWith('alerts'))

/**
 * Columns written a few seconds late, independent of calls: by programs' heartbeats, and by the sealing of the audit
 * log.
 */
const heardLate: Record<string, readonly string[]> = {
  client_sessions: ['last_heartbeat_at', 'expires_at'],
  audit: ['seq', 'hash', 'ip_hash', 'ip_salt'],
}

export async function tablesOf(db: Database): Promise<string[]> {
  const query =
    db.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{
          name: string
        }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const { rows } = await query.execute(db.read)
  return rows.map(({ name }) => name).toSorted()
}

type Row = Record<string, unknown>

/** All rows of all tables that a rejected call must not change, as unordered texts. */
export async function databaseRows(
  db: Database,
  isWanted: (row: Row, table: string) => boolean = () => true,
): Promise<Map<string, string[]>> {
  const tables = (await tablesOf(db)).filter((table) => !bookkeeping.has(table))
  const content = new Map<string, string[]>()
  for (const [table, rows] of await rowsOf(db, tables)) {
    const wanted = rows.filter(
      (row) => !isRecordOfRejection(table, row) && !isOwnWork(table, row) && isWanted(row, table),
    )
    const late = heardLate[table]
    content.set(table, wanted.map((row) => JSON.stringify(late ? withoutLate(row, late) : row)).toSorted())
  }
  return content
}

async function rowsOf(db: Database, tables: readonly string[]): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>(tables.map((table) => [table, []]))
  if (db.engine === 'sqlite') {
    for (const table of tables) {
      found.set(table, (await sql<Row>`select * from ${sql.table(table)}`.execute(db.read)).rows)
    }
    return found
  }
  // One query for all tables, because each query costs a round trip.
  const selects = tables.map(
    (table) => sql`select ${sql.lit(table)} as name, to_json(t) as content from ${sql.table(table)} as t`,
  )
  const { rows } = await sql<{ name: string; content: Row }>`${sql.join(selects, sql` union all `)}`.execute(db.read)
  for (const { name, content } of rows) found.get(name)?.push(content)
  return found
}

const settling = new WeakMap<Database, () => Promise<void>>()

/** How a server finishes the background work of earlier calls before its database is read. */
export const settleWith = (db: Database, settle: () => Promise<void>): void => void settling.set(db, settle)

/**
 * Content of the database as one text, except for some tables: equal texts mean that nothing changed. One line per
 * table, so that a diff shows the table.
 */
export async function databaseDigest(db: Database, except: readonly string[] = []): Promise<string> {
  await settling.get(db)?.()
  return [...(await databaseRows(db))]
    .filter(([table]) => !except.includes(table))
    .map(([table, rows]) => `${table}: ${rows.length}, ${sha256(rows.join('\n'))}`)
    .join('\n')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

const withoutLate = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))
