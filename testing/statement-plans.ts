import { migrateSqlite } from '#database/migrate.ts'
import { keepStatistics, plannerStatistics } from '#database/sqlite/planner-statistics.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'

/**
 * Reads the plans of the statements that the server runs on its main thread, as they are at a million rows: a plan that
 * would read more than a batch's worth of rows at one step is a scan. Every test app refuses to close after one.
 */
export interface StatementPlans {
  /** Why a statement is a scan, as one line each; none when it isn't. */
  scansOf(sql: string): Promise<string[]>
}

/** What one value of an index may find: a batch of a long act and a little more. */
const maxRowsPerStep = 2500

/** Its rows elsewhere, which the plan looks for, were deleted in batches before: none is left. */
const emptiedBefore = /^delete from "apps" where "id" = \?$/

const callers = /\/src\/(features|server)\/(?!.*\.(test|e2e)\.ts)/

/** Collects the statements that the server's own code runs, not those of the tests. */
export class StatementRecorder {
  readonly statements = new Set<string>()
  readonly #recorded = new Set<string>()

  readonly record = (sql: string): void => {
    if (this.#recorded.has(sql)) return
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 60
    const { stack = '' } = new Error('recorded')
    Error.stackTraceLimit = limit
    if (!callers.test(stack)) return
    this.#recorded.add(sql)
    if (/^\s*(with|select|insert|update|delete)\b/i.test(sql)) this.statements.add(sql)
  }
}

/** An empty database that believes it is large. */
export class SqlitePlans implements StatementPlans {
  readonly #connection: SqliteConnection

  /** `connection`: a database that was made otherwise. */
  constructor(connection: SqliteConnection = newDatabase()) {
    this.#connection = connection
  }

  async scansOf(sql: string): Promise<string[]> {
    if (emptiedBefore.test(sql)) return []
    const plan = this.#connection.database.prepare(`explain query plan ${sql}`).all() as { detail: string }[]
    return plan.flatMap(({ detail }) => this.#scanOf(detail, sql))
  }

  #scanOf(step: string, sql: string): string[] {
    const [, act, name = ''] = /^(SCAN|SEARCH) (\S+)/.exec(step) ?? []
    const table = tableOf(name, sql)
    const statistics = plannerStatistics[table]
    if (!act || !statistics) return []
    const [, indexName = '', terms = ''] = /INDEX (\S+)(?: \((.*)\))?/.exec(step) ?? []
    // By the row's own number.
    if (act === 'SEARCH' && terms === '') return []
    const columns = [...terms.matchAll(/(\w+)([=<>])/g)]
    const equal = columns.filter(([, , comparison]) => comparison === '=').length
    const rows =
      equal === 0
        ? (statistics.partial?.[indexName] ?? statistics.rows)
        : (statistics.indexes[indexName]?.[equal - 1] ?? statistics.rows)
    if (rows <= maxRowsPerStep) return []
    // A row's own number is the last column of every index.
    if (columns.some(([, column, comparison]) => column === 'rowid' && comparison === '=')) return []
    if (
      isLimited(
        sql,
        columns.map(([, column = '']) => column),
        indexName,
      )
    )
      return []
    return [`${step} reads about ${rows} rows`]
  }
}

function newDatabase(): SqliteConnection {
  const connection = new SqliteConnection(':memory:')
  migrateSqlite(connection)
  keepStatistics(connection)
  return connection
}

/** `licenses as license` is named by its alias. */
function tableOf(name: string, sql: string): string {
  const [, table = name] = new RegExp(`"(\\w+)" as "${name}"`).exec(sql) ?? []
  return table
}

const numbering = new Set(['id', 'rowid'])

/** Stops after so many rows, with no condition that rows which don't count could fail on the way. */
function isLimited(sql: string, columns: readonly string[], index: string): boolean {
  if (!/\blimit\b/i.test(sql)) return false
  const from = sql.slice(sql.toLowerCase().indexOf(' where '))
  const conditions = [...from.matchAll(/"(\w+)"\s*(?:=|<>|<|>|in\b|is\b|like\b)/gi)].map(([, column = '']) => column)
  const partial: Record<string, readonly string[]> = { client_sessions_list: ['ended_code'] }
  return conditions.every(
    (column) => columns.includes(column) || numbering.has(column) || partial[index]?.includes(column),
  )
}

let known: StatementPlans | undefined
const verdicts = new Map<string, readonly string[]>()

/** The scans among these statements, each explained once. */
export async function findScans(statements: Iterable<string>, plans: () => StatementPlans): Promise<string[]> {
  const found: string[] = []
  for (const sql of statements) {
    let scans = verdicts.get(sql)
    if (!scans) {
      known ??= plans()
      scans = await known.scansOf(sql)
      verdicts.set(sql, scans)
    }
    if (scans.length > 0) found.push(`${scans.join('; ')}: ${sql.slice(0, 600)}`)
  }
  return found
}
