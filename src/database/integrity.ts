import { sql } from 'kysely'
import type { Database, Reader } from './database.ts'
import { asReportCaller } from './report-queue.ts'
import { sqliteCode } from './unavailable.ts'

/** `quick` reads every page of SQLite; `full` also compares indexes with their tables, which takes 20 times as long. */
export type IntegrityDepth = 'quick' | 'full'

const maxProblems = 10
const sqliteCorrupt = 11
const notADatabase = 26
/** PostgreSQL's error class for corrupted data. */
const postgresCorrupt = /^XX00[12]$/

/** Damage found in the database, at most ten findings; empty if there is none. `signal` aborts between two tables. */
export function findDamage(db: Database, depth: IntegrityDepth, signal: AbortSignal): Promise<string[]> {
  const find = db.engine === 'sqlite' ? damagedPages : damagedRelations
  // In a queue of its own, so that metrics do not wait for it.
  return asReportCaller({ owner: 'integrity', signal }, () => find(db.reports, depth))
}

/** Table by table: a running statement cannot be aborted, and the write-ahead log keeps growing while it reads. */
async function damagedPages(reports: Reader, depth: IntegrityDepth): Promise<string[]> {
  const problems: string[] = []
  try {
    // What this connection has read before would hide damage of the file.
    await sql`pragma shrink_memory`.execute(reports)
    const tables = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' order by name`.execute(reports)
    for (const { name } of tables.rows) {
      if (problems.length >= maxProblems) break
      const pragma = sql.join([sql.ref(depth === 'quick' ? 'quick_check' : 'integrity_check')])
      const { rows } = await sql<object>`pragma ${pragma}(${sql.ref(name)})`.execute(reports)
      const texts = rows.flatMap((row) => Object.values(row).map(String))
      problems.push(...texts.filter((text) => text !== 'ok').map((text) => `${name}: ${text}`))
    }
  } catch (error) {
    if (![sqliteCorrupt, notADatabase].includes(sqliteCode(error))) throw error
    problems.push((error as Error).message)
  }
  return problems.slice(0, maxProblems)
}

/** Checks page checksums, if they are enabled, and runs amcheck, if this user may run it. */
async function damagedRelations(reports: Reader, depth: IntegrityDepth): Promise<string[]> {
  const { rows } = await sql<{ failures: number | null; amcheck: boolean | null }>`
    select (select checksum_failures from pg_stat_database where datname = current_database()) as failures,
      has_function_privilege(to_regprocedure('bt_index_check(regclass)'), 'execute') as amcheck`.execute(reports)
  const [state] = rows
  // It counts until the operator resets the statistics.
  const problems = state?.failures ? [`${state.failures} reads of pages with a wrong checksum`] : []
  if (depth === 'quick' || !state?.amcheck) return problems
  const indexes = await sql<{ id: number; name: string }>`
    select c.oid::bigint as id, c.relname as name from pg_index i
    join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where a.amname = 'btree' and i.indisvalid and c.relpersistence = 'p'
      and c.relnamespace = current_schema()::regnamespace order by c.relname`.execute(reports)
  for (const { id, name } of indexes.rows) {
    if (problems.length >= maxProblems) break
    const damage = await sql`select bt_index_check(${id}::oid::regclass)`.execute(reports).then(
      () => undefined,
      (error: Error & { code?: string }) => {
        // A timeout is not a finding.
        if (postgresCorrupt.test(error.code ?? '')) return `${name}: ${error.message}`
        if (error.code?.startsWith('57')) return undefined
        throw error
      },
    )
    if (damage) problems.push(damage)
  }
  return problems
}
