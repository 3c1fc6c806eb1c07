import { rmSync } from 'node:fs'
import type { SearchSource } from '../search-source.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

const rowsPerBatch = 20_000

/**
 * An FTS5 trigram index in a file of its own, so that keeping it up to date never holds the
 * writer's lock. New rows are found by their id, changed ones by `search_changes`; a search adds
 * the tail that is not indexed yet. Losing the file only means building it again.
 */
export class TrigramIndex {
  readonly #connection: SqliteConnection
  readonly #sources: readonly SearchSource[]

  constructor(connection: SqliteConnection, file: string, sources: readonly SearchSource[]) {
    this.#connection = connection
    this.#sources = sources
    try {
      this.#attach(file)
    } catch {
      this.#detach()
      for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
      this.#attach(file)
    }
  }

  /** Indexes what came since the last time; gives the last `search_changes.seq` that is held. */
  catchUp(): number {
    // Read first: what changes from here on stays in the queue for the next time.
    const lastChange = this.#number('select max(seq) as n from main.search_changes', []) ?? 0
    for (const source of this.#sources) {
      while (this.#indexNewRows(source) === rowsPerBatch);
      this.#indexChangedRows(source, lastChange)
    }
    return lastChange
  }

  #attach(file: string): void {
    const { database } = this.#connection
    database.prepare('attach database ? as search').run(file)
    database.exec(`
      pragma search.journal_mode = wal; pragma search.synchronous = off;
      create table if not exists search.progress (source text primary key, indexed_to integer not null);
    `)
    for (const { table } of this.#sources) {
      database.exec(`
        create virtual table if not exists search.${table}_index
          using fts5(body, content='', contentless_delete=1, tokenize='trigram');
        insert or ignore into search.progress values ('${table}', 0);
        select rowid from search.${table}_index limit 1;
      `)
    }
  }

  #detach(): void {
    try {
      this.#connection.database.exec('detach database search')
    } catch {
      // It was never attached.
    }
  }

  #indexNewRows({ table, columns }: SearchSource): number {
    const from = this.#progress(table)
    const last = this.#number(
      `select max(id) as n from (select id from main.${table} where id > ? order by id limit ${rowsPerBatch})`,
      [from],
    )
    if (last === null) return 0
    const { numAffectedRows } = this.#atomically(() => {
      const result = this.#connection.run(
        `insert or replace into search.${table}_index (rowid, body)
         select id, ${bodyOf(columns)} from main.${table} where id > ? and id <= ?`,
        [from, last],
      )
      this.#connection.run('update search.progress set indexed_to = ? where source = ?', [last, table])
      return result
    })
    return Number(numAffectedRows ?? 0)
  }

  #indexChangedRows({ table, columns }: SearchSource, last: number): void {
    this.#atomically(() => {
      const changed = `select row_id from main.search_changes where source = ? and seq <= ?`
      this.#connection.run(`delete from search.${table}_index where rowid in (${changed})`, [table, last])
      this.#connection.run(
        `insert into search.${table}_index (rowid, body)
         select id, ${bodyOf(columns)} from main.${table}
         where id in (${changed}) and id <= (select indexed_to from search.progress where source = ?)`,
        [table, last, table],
      )
    })
  }

  /** Where the index stands; back to the start when the database was restored from an older copy. */
  #progress(table: string): number {
    const indexedTo = this.#number('select indexed_to as n from search.progress where source = ?', [table]) ?? 0
    const issued = this.#number('select seq as n from main.sqlite_sequence where name = ?', [table]) ?? 0
    if (indexedTo <= issued) return indexedTo
    this.#connection.run(`delete from search.${table}_index`, [])
    this.#connection.run('update search.progress set indexed_to = 0 where source = ?', [table])
    return 0
  }

  #number(sql: string, parameters: unknown[]): number | null {
    return (this.#connection.run(sql, parameters).rows[0]?.['n'] as number | null | undefined) ?? null
  }

  #atomically<T>(work: () => T): T {
    const { database } = this.#connection
    database.exec('begin')
    try {
      const result = work()
      database.exec('commit')
      return result
    } catch (error) {
      database.exec('rollback')
      throw error
    }
  }
}

/** The searched columns as one text; a line break keeps a match inside one column. */
export function bodyOf(columns: readonly string[]): string {
  return columns.map((column) => `coalesce(${column}, '')`).join(` || char(10) || `)
}
