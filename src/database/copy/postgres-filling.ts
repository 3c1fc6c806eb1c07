import type pg from 'pg'
import type { Reader } from '../database.ts'
import { copyProgressTable } from '../migrate.ts'
import { claimExclusively } from '../postgres/processes.ts'
import { rejectRunningServers, type HeartbeatWait } from '../postgres/server-heartbeats.ts'
import {
  analyze,
  connect,
  emptyTables,
  endExclusiveConnection,
  insertRows,
  readerOf,
  rowsOf,
  setIssued,
  setTriggers,
  tableNames,
  tablesOf,
  TargetNotEmpty,
} from './postgres-copy.ts'
import type { IssuedNumbers, Row, TableShape } from './table-copy.ts'

/**
 * Fills a database in many transactions that also store the progress, so that an interrupted copy can resume. No server
 * starts on the database before the copy is complete.
 */
export class PostgresFilling {
  readonly #client: pg.Client
  readonly tables: readonly TableShape[]
  /** Whether an interrupted copy is resumed. */
  readonly isResumed: boolean
  /** Whether a copy of this state was finished before: nothing is left to do. */
  readonly isFinished: boolean
  readonly #source: string

  private constructor(
    client: pg.Client,
    { tables, source, ...state }: { tables: TableShape[]; source: string; isResumed: boolean; isFinished: boolean },
  ) {
    this.#client = client
    this.tables = tables
    this.isResumed = state.isResumed
    this.isFinished = state.isFinished
    this.#source = source
  }

  /**
   * `source` identifies the state that is copied: a copy of another state starts over. Throws `DatabaseHasServers`, and
   * `TargetNotEmpty` if the database contains anything but such a copy.
   */
  static async open(url: string, source: string, wait?: HeartbeatWait): Promise<PostgresFilling> {
    const client = await connect(url)
    try {
      await claimExclusively(client)
      await rejectRunningServers(client, wait)
      const names = await tableNames(client)
      const isCopy = names.includes(copyProgressTable)
      const isFinished = !isCopy && (await finishedSourceOf(client)) === source
      if (names.length > 0 && !isCopy && !isFinished) throw new TargetNotEmpty('The PostgreSQL database is not empty')
      const isResumed = isCopy && (await sourceOf(client)) === source
      if (!isResumed && !isFinished) await begin(client, { names, source })
      return new PostgresFilling(client, { tables: await tablesOf(client), source, isResumed, isFinished })
    } catch (error) {
      await endExclusiveConnection(client)
      throw error
    }
  }

  get reader(): Reader {
    return readerOf(this.#client)
  }

  /** Number of the last copied row of a table; -1 before the first. */
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

  /** Releases the database for servers, if `prove` finds no problem in its rows. */
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
      await client.query(`comment on table migrations is ${client.escapeLiteral(finishedKey + this.#source)}`)
    })
    await analyze(client)
  }

  close = (): Promise<void> => endExclusiveConnection(this.#client)
}

/** Key of the row that identifies the source, in place of a table name. */
const sourceKey = 'source: '

async function sourceOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select name from ${copyProgressTable} where starts_with(name, $1)`,
    [sourceKey],
  )
  return rows[0]?.name.slice(sourceKey.length)
}

/** Begins the comment that a finished copy leaves: the command may be killed before it has marked the source. */
const finishedKey = 'copy of '

async function finishedSourceOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(to_regclass('migrations'), 'pg_class') as comment`,
  )
  const comment = rows[0]?.comment ?? ''
  return comment.startsWith(finishedKey) ? comment.slice(finishedKey.length) : undefined
}

/** Prepares an empty database with its tables, or clears an interrupted copy of another state. */
async function begin(client: pg.Client, { names, source }: { names: readonly string[]; source: string }) {
  await atomically(client, async () => {
    await emptyTables(client, names)
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
