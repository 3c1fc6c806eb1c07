import type pg from 'pg'
import type { Reader } from '../database.ts'
import { copyProgressTable, migrateInTransaction } from '../migrate.ts'
import { claimWholeDatabase } from '../postgres/processes.ts'
import { rejectLivingServers, type SignWait } from '../postgres/signs-of-life.ts'
import {
  connect,
  dropEverything,
  endAlone,
  insertRows,
  readerOf,
  rowsOf,
  setIssued,
  setTriggers,
  tableNames,
  tablesOf,
  TargetNotEmpty,
} from './postgres-copy.ts'
import { type IssuedNumbers, quoted, type Row, type TableShape } from './table-copy.ts'

/**
 * A database that is filled in many transactions, each of which also says how far it came: whoever is killed goes on
 * from there. No server starts on it before its end.
 */
export class PostgresFilling {
  readonly #client: pg.Client
  readonly tables: readonly TableShape[]
  /** Whether a copy that had begun goes on. */
  readonly goesOn: boolean

  private constructor(client: pg.Client, tables: readonly TableShape[], goesOn: boolean) {
    this.#client = client
    this.tables = tables
    this.goesOn = goesOn
  }

  /**
   * `source` names the state of what is copied: a copy of another state begins again. Throws `DatabaseHasServers`, and
   * `TargetNotEmpty` when there is anything but such a copy.
   */
  static async open(url: string, source: string, wait?: SignWait): Promise<PostgresFilling> {
    const client = await connect(url)
    try {
      await claimWholeDatabase(client)
      await rejectLivingServers(client, wait)
      const names = await tableNames(client)
      const isCopy = names.includes(copyProgressTable)
      if (names.length > 0 && !isCopy) throw new TargetNotEmpty('The PostgreSQL database is not empty')
      const goesOn = isCopy && (await sourceOf(client)) === source
      if (!goesOn) await begin(client, { names, source })
      return new PostgresFilling(client, await tablesOf(client), goesOn)
    } catch (error) {
      await endAlone(client)
      throw error
    }
  }

  get reader(): Reader {
    return readerOf(this.#client)
  }

  /** The number of the last row of a table that is in; -1 before the first. */
  async lastOf({ name }: TableShape): Promise<number> {
    const { rows } = await this.#client.query<{ last: number }>(
      `select last_row as last from ${copyProgressTable} where name = $1`,
      [name],
    )
    return rows[0]?.last ?? -1
  }

  async insert(table: TableShape, rows: readonly Row[], last: number): Promise<void> {
    await atomically(this.#client, async () => {
      await insertRows(this.#client, table, rows)
      await this.#client.query(
        `insert into ${copyProgressTable} (name, last_row) values ($1, $2)
          on conflict (name) do update set last_row = excluded.last_row`,
        [table.name, last],
      )
    })
  }

  /** Makes it a database that servers may use, if `prove` finds nothing wrong with its rows. */
  async finish(
    issued: IssuedNumbers,
    prove: (rows: (table: TableShape) => AsyncIterable<Row[]>) => Promise<void>,
  ): Promise<void> {
    const client = this.#client
    await atomically(client, async () => {
      await prove((table) => rowsOf(client, table))
      await setIssued(client, this.tables, issued)
      await setTriggers(client, this.tables, 'enable')
      await client.query(`drop table ${copyProgressTable}`)
    })
    await client.query('analyze')
  }

  close = (): Promise<void> => endAlone(this.#client)
}

/** In the place of the table's name, where it says what is copied. */
const sourceKey = 'source: '

async function sourceOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select name from ${copyProgressTable} where starts_with(name, $1)`,
    [sourceKey],
  )
  return rows[0]?.name.slice(sourceKey.length)
}

/** An empty database with its tables, or what a copy of another state has left of one. */
async function begin(client: pg.Client, { names, source }: { names: readonly string[]; source: string }) {
  await atomically(client, async () => {
    await dropEverything(client, names)
    await migrateInTransaction(client)
    const tables = await tablesOf(client)
    // What they would do to these rows has been done.
    await setTriggers(client, tables, 'disable')
    for (const { name } of tables.toReversed()) await client.query(`delete from ${quoted(name)}`)
    await client.query(`create table ${copyProgressTable} (name text primary key, last_row bigint not null)`)
    await client.query(`insert into ${copyProgressTable} values ($1, 0)`, [sourceKey + source])
  })
}

async function atomically(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
