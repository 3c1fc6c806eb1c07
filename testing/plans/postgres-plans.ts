import { truncateSync } from 'node:fs'
import pg from 'pg'
import { migratePostgres, migrateSqlite } from '#database/migrate.ts'
import { plannerStatistics } from '#database/sqlite/planner-statistics.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { maxRowsPerStep, type StatementPlans } from './statement-plans.ts'

/** The used fields of `explain (format json)`. */
interface PlanNode {
  'Node Type': string
  'Plan Rows': number
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: PlanNode[]
}

interface Index {
  table: string
  name: string
  isUnique: boolean
  predicate: string | null
  columns: string[]
}

interface Column {
  table: string
  name: string
  isNullable: boolean
}

/** Nodes that read all of their input before they return the first row. */
const readsAll = new Set(['Sort', 'Aggregate', 'Hash', 'Materialize', 'WindowAgg', 'Unique', 'ModifyTable', 'SetOp'])
/** `deleteBatch` itself turns off sequential scans. */
const isBatch = /^\s*delete from "\w+" where ctid in/
const reads = /^(Seq|Index|Index Only|Bitmap Index|Sample|Tid Range) Scan$/
const condition = /(lower\()?\(*"?(\w+)"?\)?(?:::\w+)?\)?\s*(=|<>|[<>]=?|IS NULL|IS NOT NULL|~~)/g

/** A column of an index, or the only function of one that indexes have. */
const indexedAs = (column: string, isLowered: boolean): string => (isLowered ? `lower(${column})` : column)

/**
 * An empty PostgreSQL database with the statistics of a large one: the same statistics as for SQLite, and empty files
 * of the corresponding size, because the planner also considers the file size.
 */
export class PostgresPlans implements StatementPlans {
  readonly #pool: pg.Pool
  readonly #indexes = new Map<string, Index>()
  /** Number of rows with equal values in these columns, by table and columns. */
  readonly #agreeing = agreeingRows()

  private constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** `url` is a separate database. `change` is SQL that makes it differ from the server's. */
  static async open(url: string, change = ''): Promise<PostgresPlans> {
    const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 1000, allowExitOnIdle: true })
    pool.on('error', () => {})
    await migratePostgres(pool)
    const plans = new PostgresPlans(pool)
    if (change) await pool.query(change)
    await plans.#plantStatistics()
    return plans
  }

  /** Planned with the actual parameters, as on the server. */
  async scansOf(sql: string, parameters: readonly unknown[]): Promise<string[]> {
    const setting = `set enable_seqscan = ${isBatch.test(sql) ? 'off' : 'on'}`
    await this.#pool.query(setting)
    const { rows } = await this.#pool.query(`explain (format json) ${sql}`, [...parameters])
    const found = rows as { 'QUERY PLAN': { Plan: PlanNode }[] }[]
    return found.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => this.#scansIn(Plan, false)))
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /** `isLimited`: no node above reads more than a few rows of this one. */
  #scansIn(node: PlanNode, isLimited: boolean): string[] {
    const type = node['Node Type']
    const isLimitedBelow = type === 'Limit' ? node['Plan Rows'] <= maxRowsPerStep : isLimited && !readsAll.has(type)
    return [
      ...this.#scanOf(node, isLimited),
      ...(node.Plans ?? []).flatMap((inner) => this.#scansIn(inner, isLimitedBelow)),
    ]
  }

  #scanOf(node: PlanNode, isLimited: boolean): string[] {
    const type = node['Node Type']
    const index = this.#indexes.get(node['Index Name'] ?? '')
    const table = index?.table ?? node['Relation Name'] ?? ''
    const statistics = plannerStatistics[table]
    if (!reads.test(type) || !statistics) return []
    const terms = node['Index Cond'] ?? ''
    const rows = index ? this.#rowsFound(index, terms) : statistics.rows
    // A filtered row is read, but does not count toward the limit. Rows to be locked are checked for the condition of
    // their partial index again, which all of them match.
    const isFiltered = node.Filter !== undefined && node.Filter !== index?.predicate
    if (rows <= maxRowsPerStep || (isLimited && !isFiltered)) return []
    return [`${type} ${index?.name ?? table} ${terms} ${node.Filter ?? ''} reads about ${rows} rows`]
  }

  #rowsFound(index: Index, terms: string): number {
    const bounds = [...terms.matchAll(condition)].map(([, lower, column = '', how = '']) => ({
      column: indexedAs(column, lower !== undefined),
      how,
    }))
    const equal = new Set(bounds.filter(({ how }) => how === '=' || how === 'IS NULL').map(({ column }) => column))
    const ranges = bounds.filter(({ column, how }) => column === 'id' && /^[<>]/.test(how))
    const statistics = plannerStatistics[index.table]
    let rows = statistics?.partial?.[index.name] ?? statistics?.rows ?? 0
    const columns = index.columns.map((column) => {
      const [, lowered] = /^lower\(+(\w+)/.exec(column) ?? []
      return indexedAs(lowered ?? column, lowered !== undefined)
    })
    for (const [at, column] of columns.entries()) {
      // A range of IDs is a batch.
      if (!equal.has(column)) return column === 'id' && ranges.length > 1 ? Math.min(rows, maxRowsPerStep) : rows
      const leading = columns.slice(0, at + 1)
      rows = Math.min(rows, this.#agreeing.get([index.table, ...leading].join()) ?? (column === 'id' ? 1 : rows))
    }
    return index.isUnique ? 1 : rows
  }

  async #plantStatistics(): Promise<void> {
    const { rows: columns } = await this.#pool.query<Column>(
      `select table_name as table, column_name as name, is_nullable = 'YES' as "isNullable"
       from information_schema.columns where table_schema = 'public' order by 1, 2`,
    )
    const { rows: indexes } = await this.#pool.query<Index>(
      `select t.relname as table, i.relname as name, x.indisunique as "isUnique",
         pg_get_expr(x.indpred, x.indrelid) as predicate,
         array(select pg_get_indexdef(x.indexrelid, n, false) from generate_series(1, x.indnkeyatts) n) as columns
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       where t.relnamespace = 'public'::regnamespace`,
    )
    for (const index of indexes) this.#indexes.set(index.name, index)
    const relations: [name: string, rows: number, rowsPerPage: number][] = []
    const statements: string[] = []
    for (const [table, { rows, partial = {} }] of Object.entries(plannerStatistics)) {
      const own = columns.filter((column) => column.table === table)
      // A table that only exists on SQLite.
      if (own.length === 0) continue
      const ownIndexes = indexes.filter((index) => index.table === table)
      const shares = sharesOf(ownIndexes, partial, rows)
      relations.push([table, rows, rowsOfPage.table])
      for (const { name } of ownIndexes) relations.push([name, partial[name] ?? rows, rowsOfPage.index])
      statements.push(`alter table ${table} set (autovacuum_enabled = off)`)
      statements.push(...own.map((column) => columnStatistics(column, rows, shares)))
    }
    statements.push(...relations.map((relation) => relationStatistics(...relation)))
    await this.#pool.query(statements.join(';\n'))
    const { rows: files } = await this.#pool.query<{ name: string; path: string }>(
      `select relname as name, current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
    )
    const paths = new Map(files.map(({ name, path }) => [name, path]))
    for (const [name, rows, rowsPerPage] of relations) {
      truncateSync(paths.get(name) ?? name, pagesOf(rows, rowsPerPage) * pageBytes)
    }
  }
}

const pageBytes = 8192
const rowsOfPage = { table: 60, index: 200 }

const relationStatistics = (name: string, rows: number, rowsPerPage: number): string =>
  `select pg_restore_relation_stats('schemaname', 'public', 'relname', '${name}',
    'relpages', ${pagesOf(rows, rowsPerPage)}, 'reltuples', ${rows}::real)`

const pagesOf = (rows: number, rowsPerPage: number): number => Math.ceil(rows / rowsPerPage) + 1

interface Share {
  column: string
  how: string
  /** Share of the rows of the table, from 0 to 1. */
  share: number
}

/** The share of rows that match the condition of each partial index; half if nothing else is known. */
function sharesOf(indexes: readonly Index[], partial: Record<string, number>, rows: number): Share[] {
  return indexes.flatMap(({ name, predicate }) => {
    const found = [...(predicate ?? '').matchAll(/(\w+) (IS NOT NULL|IS NULL|= (?:'\w+'|\d+))/g)]
    return found.map(([, column = '', how = '']) => ({ column, how, share: (partial[name] ?? rows / 2) / rows }))
  })
}

/**
 * The number of distinct values of a column, derived from the number of equal rows in it, or in it and the preceding
 * columns of an index.
 */
function columnStatistics({ table, name, isNullable }: Column, rows: number, shares: readonly Share[]): string {
  const distinct = name === 'id' ? [rows] : []
  for (const [key, agreeing] of agreeingRows()) {
    const [of, ...columns] = key.split(',')
    if (of !== table || columns.at(-1) !== name) continue
    const before = columns.length === 1 ? rows : (agreeingRows().get([of, ...columns.slice(0, -1)].join()) ?? rows)
    distinct.push(before / agreeing)
  }
  const own = shares.filter(({ column }) => column === name)
  const [isNull] = own.flatMap(({ how, share }) => (how === 'IS NULL' ? share : how === 'IS NOT NULL' ? 1 - share : []))
  const [common] = own.filter(({ how }) => how.startsWith('= '))
  return `select pg_restore_attribute_stats('schemaname', 'public', 'relname', '${table}', 'attname', '${name}',
    'inherited', false, 'null_frac', ${isNullable ? (isNull ?? 0.5) : 0}::real, 'avg_width', 16
    ${distinct.length > 0 ? `, 'n_distinct', ${Math.max(1, ...distinct)}::real` : ''}
    ${common ? `, 'most_common_vals', '{${common.how.slice(2).replaceAll("'", '')}}'` : ''}
    ${common ? `, 'most_common_freqs', '{${common.share}}'::real[]` : ''})`
}

let agreeingOfAll: Map<string, number> | undefined

/** The statistics of the SQLite indexes, by the columns of each. */
function agreeingRows(): Map<string, number> {
  if (agreeingOfAll) return agreeingOfAll
  const connection = new SqliteConnection(':memory:')
  migrateSqlite(connection)
  agreeingOfAll = new Map()
  for (const [table, { indexes }] of Object.entries(plannerStatistics)) {
    for (const [index, agreeing] of Object.entries(indexes)) {
      const { rows } = connection.run(
        `select columns.name, indexes.sql from pragma_index_info('${index}') columns
         left join sqlite_schema indexes on indexes.name = '${index}' order by columns.seqno`,
        [],
      )
      const columns = rows.map(({ name, sql }) => String(name ?? /lower\(\w+\)/.exec(String(sql))))
      for (const [at, count] of agreeing.entries()) {
        agreeingOfAll.set([table, ...columns.slice(0, at + 1)].join(), count)
      }
    }
  }
  return agreeingOfAll
}
