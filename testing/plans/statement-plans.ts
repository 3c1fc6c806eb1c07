import { migrateSqlite } from '#database/migrate.ts'
import { keepStatistics, plannerStatistics } from '#database/sqlite/planner-statistics.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'

/**
 * Checks the query plans of statements on the server's main thread for a million rows: a plan that would read more than
 * one batch of rows in a step is a scan. Each test app throws on close after one.
 */
export interface StatementPlans {
  /** Reasons why a statement is a scan, one line each; empty if it is not. */
  scansOf(sql: string, parameters: readonly unknown[]): Promise<string[]>
}

/** Maximum number of rows per index value: a batch of a long action and a little more. */
export const maxRowsPerStep = 2500

/** The plan looks for dependent rows, but these have already been deleted in batches. */
const emptiedBefore = /^delete from "apps" where "id" = \?$/

const callers = /\/src\/(features|server)\/(?!.*\.(test|e2e)\.ts)/

/** Statements that differ only in the length of lists share a plan. */
const withoutLists = (sql: string): string =>
  sql.replace(/\((?:\$\d+(?:, )?)+\)(?:, \((?:\$\d+(?:, )?)+\))*/g, '($)').replace(/\$\d+/g, '$')

/** Collects the statements of the server's own code, not those of tests. */
export class StatementRecorder {
  /** With the parameters of the first run, for engines that plan with them. */
  readonly statements = new Map<string, { sql: string; parameters: readonly unknown[] }>()
  readonly #recorded = new Set<string>()

  readonly record = (sql: string, parameters: readonly unknown[] = []): void => {
    if (this.#recorded.has(sql)) return
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 60
    const { stack = '' } = new Error('recorded')
    Error.stackTraceLimit = limit
    if (!callers.test(stack)) return
    this.#recorded.add(sql)
    if (!/^\s*(with|select|insert|update|delete)\b/i.test(sql)) return
    const text = withoutLists(sql)
    if (!this.statements.has(text)) this.statements.set(text, { sql, parameters })
  }
}

/** An empty database with the statistics of a large one. */
export class SqlitePlans implements StatementPlans {
  readonly #connection: SqliteConnection

  /** `connection`: a differently created database. */
  constructor(connection: SqliteConnection = newDatabase()) {
    this.#connection = connection
  }

  async scansOf(sql: string): Promise<string[]> {
    if (emptiedBefore.test(sql)) return []
    const plan = this.#connection.database.prepare(`explain query plan ${sql}`).all() as { detail: string }[]
    // Sorting reads all rows before it returns the first one.
    const isSorted = plan.some(({ detail }) => /^USE TEMP B-TREE FOR (ORDER BY|GROUP BY|DISTINCT)$/.test(detail))
    return plan.flatMap(({ detail }) => this.#scanOf(detail, sql, isSorted))
  }

  #scanOf(step: string, sql: string, isSorted: boolean): string[] {
    const [, operation, name = ''] = /^(SCAN|SEARCH) (\S+)/.exec(step) ?? []
    const table = tableOf(name, sql)
    const statistics = plannerStatistics[table]
    if (!operation || !statistics) return []
    const [, indexName = '', terms = ''] = /INDEX (\S+)(?: \((.*)\))?/.exec(step) ?? []
    // A lookup by rowid.
    if (operation === 'SEARCH' && terms === '') return []
    const columns = [...terms.matchAll(/(\w+|<expr>)([=<>])/g)]
    const equal = columns.filter(([, , comparison]) => comparison === '=').length
    const rows =
      equal === 0
        ? (statistics.partial?.[indexName] ?? statistics.rows)
        : (statistics.indexes[indexName]?.[equal - 1] ?? statistics.rows)
    if (rows <= maxRowsPerStep) return []
    // The rowid is the last column of every index.
    if (columns.some(([, column, comparison]) => column === 'rowid' && comparison === '=')) return []
    if (
      !isSorted &&
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

/** The plan uses aliases: `licenses as license` appears as `license`. */
function tableOf(name: string, sql: string): string {
  const [, table = name] = new RegExp(`"(\\w+)" as "${name}"`).exec(sql) ?? []
  return table
}

const numbering = new Set(['id', 'rowid'])

/** Whether the statement has a limit and no condition outside the index that could skip rows. */
function isLimited(sql: string, columns: readonly string[], index: string): boolean {
  if (!/\blimit\b/i.test(sql)) return false
  const from = sql.slice(sql.toLowerCase().indexOf(' where '))
  const conditions = [...from.matchAll(/"(\w+)"\s*(?:=|<>|<|>|in\b|is\b|like\b)/gi)].map(([, column = '']) => column)
  const partial: Record<string, readonly string[]> = { client_sessions_list: ['ended_code'] }
  return conditions.every(
    (column) => columns.includes(column) || numbering.has(column) || partial[index]?.includes(column),
  )
}

let known: Promise<StatementPlans> | undefined
const verdicts = new Map<string, readonly string[]>()

/** The scans among these statements; each is explained once. */
export async function findScans(
  { statements }: StatementRecorder,
  plans: () => StatementPlans | Promise<StatementPlans>,
): Promise<string[]> {
  const found: string[] = []
  for (const [text, { sql, parameters }] of statements) {
    let scans = verdicts.get(text)
    if (!scans) {
      known ??= Promise.resolve(plans())
      scans = await (await known).scansOf(sql, parameters)
      verdicts.set(text, scans)
    }
    if (scans.length > 0) found.push(`${scans.join('; ')}: ${sql.slice(0, 600)}`)
  }
  return found
}
