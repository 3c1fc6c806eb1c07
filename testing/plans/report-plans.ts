import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Reader } from '#database/database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { openSqlite } from '#database/sqlite/open-sqlite.ts'
import { freshPostgresUrl } from '../servers/postgres.ts'
import { testEngine } from '../start-test-app.ts'
import { PostgresPlans } from './postgres-plans.ts'
import { SqlitePlans, type StatementPlans } from './statement-plans.ts'

/** A statement with its values. */
export type Recorded = [text: string, values: readonly unknown[]]

/** The statements that reads run on an empty database, and their plans at a million rows: test apps don't check reports. */
export class ReportPlans implements StatementPlans {
  /** Of the empty database; empty on SQLite. */
  readonly url: string
  readonly #db: Database
  readonly #plans: StatementPlans
  readonly #recorded: Recorded[]
  readonly #close: () => Promise<void>

  private constructor(
    { db, url = '' }: { db: Database; url?: string },
    plans: StatementPlans,
    recorded: Recorded[],
    close: () => Promise<void>,
  ) {
    this.url = url
    this.#db = db
    this.#plans = plans
    this.#recorded = recorded
    this.#close = close
  }

  static async open(): Promise<ReportPlans> {
    const recorded: Recorded[] = []
    const onStatement = (text: string, values: readonly unknown[] = []) => void recorded.push([text, values])
    if (testEngine === 'postgres') {
      const url = await freshPostgresUrl()
      const db = await openPostgres({ url, onStatement })
      const plans = await PostgresPlans.open(await freshPostgresUrl())
      return new ReportPlans({ db, url }, plans, recorded, () => plans.close())
    }
    const directory = await mkdtemp(join(tmpdir(), 'signet-plans-'))
    const db = await openSqlite({ file: join(directory, 'plans.db'), sources: [], onStatement })
    return new ReportPlans({ db }, new SqlitePlans(), recorded, () => rm(directory, { recursive: true }))
  }

  async statementsOf(read: (reader: Reader) => Promise<unknown>): Promise<Recorded[]> {
    this.#recorded.length = 0
    await read(this.#db.read)
    return [...this.#recorded]
  }

  scansOf(text: string, values: readonly unknown[]): Promise<string[]> {
    return this.#plans.scansOf(text, values)
  }

  /** The steps that may read many rows, of the only statement of a read on a table. */
  async scansOfTable(table: string, read: (reader: Reader) => Promise<unknown>): Promise<string[]> {
    const [statement, ...others] = (await this.statementsOf(read)).filter(([text]) => text.includes(table))
    if (!statement || others.length > 0) throw new Error(`There is not exactly one statement on ${table}`)
    return this.scansOf(...statement)
  }

  async close(): Promise<void> {
    await this.#db.close()
    await this.#close()
  }
}
