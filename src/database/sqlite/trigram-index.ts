import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import type { SearchSource } from '../search-source.ts'
import { isLocked } from './lock-wait.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

const rowsPerBatch = 20_000
const changesTable = 'search_changes'
/** Version of the file format: a file of another version is rebuilt. */
const version = 2

/** The highest ID ever assigned in each table, by table name. */
export type IssuedNumbers = Readonly<Record<string, number>>

export function issuedNumbers(connection: SqliteConnection): IssuedNumbers {
  const { rows } = connection.run('select name, seq from main.sqlite_sequence', [])
  return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]))
}

/**
 * An FTS5 trigram index in its own file, so that updating it never holds the write lock. New rows are found by their
 * ID, changed ones by `search_changes`; a search also reads the rows that are not indexed yet. If the file is lost, it
 * is rebuilt.
 */
export class TrigramIndex {
  readonly #connection: SqliteConnection
  readonly #file: string
  readonly #sources: readonly SearchSource[]
  /** The file was replaced: other threads that have it open read the old one. */
  isRebuilt = false

  /** `issued`: the numbers the database had assigned when it was opened. */
  constructor(
    connection: SqliteConnection,
    { searchFile, sources, issued }: { searchFile: string; sources: readonly SearchSource[]; issued: IssuedNumbers },
  ) {
    this.#connection = connection
    this.#file = searchFile
    this.#sources = sources
    try {
      this.#attach()
      this.#forgetIfNewerThan(issued)
      this.#forgetIfChangesAreMissing()
    } catch (error) {
      // Another thread is writing to the file: nothing is wrong with it.
      if (isLocked(error)) throw error
      this.rebuild()
    }
  }

  /** Starts over with an empty file: searches work without the index until it has caught up. */
  rebuild(): void {
    this.isRebuilt = true
    this.#detach()
    for (const ending of ['', '-wal', '-shm']) rmSync(this.#file + ending, { force: true })
    this.#attach()
    this.#forgetIfChangesAreMissing()
  }

  /** Indexes all changes since the last time; returns the last `search_changes.seq` it contains. */
  catchUp(): number {
    // Read first: later changes stay in the queue for the next time.
    const lastChange = this.#number('select max(seq) as n from main.search_changes', []) ?? 0
    const indexedTo = this.#progress(changesTable)
    for (const source of this.#sources) {
      while (this.#indexNewRows(source) === rowsPerBatch);
      if (lastChange > indexedTo) this.#indexChangedRows(source, { after: indexedTo, last: lastChange })
    }
    if (lastChange > indexedTo) this.#setProgress(changesTable, lastChange)
    return lastChange
  }

  /** Whether the index contains the current state of all rows of an app. */
  isCaughtUp(appId: string): boolean {
    const changed = this.#number('select 1 as n from main.search_changes where app_id = ? and seq > ? limit 1', [
      appId,
      this.#progress(changesTable),
    ])
    if (changed !== null) return false
    return this.#sources.every(({ table }) => {
      const newer = `select 1 as n from main.${table} where app_id = ? and id > ? limit 1`
      return this.#number(newer, [appId, this.#progress(table)]) === null
    })
  }

  #attach(): void {
    const { database } = this.#connection
    database.prepare('attach database ? as search').run(this.#file)
    // In this order: another thread that fills the file at the same time sets the version first.
    const isEmpty = this.#connection.run('select 1 from search.sqlite_schema limit 1', []).rows.length === 0
    const found = this.#connection.run('pragma search.user_version', []).rows[0]?.['user_version']
    if (found !== version && !isEmpty) throw new Error('The search index is of another version')
    this.#connection.useLog('search')
    database.exec(`
      pragma search.synchronous = normal;
      ${isEmpty ? `pragma search.user_version = ${version};` : ''}
      create table if not exists search.apps (
        number integer primary key,
        app_id text not null unique,
        key text generated always as (${appKey}) stored
      );
      create table if not exists search.progress (source text primary key, indexed_to integer not null);
      insert or ignore into search.progress values ('${changesTable}', 0);
    `)
    for (const { table } of this.#sources) {
      database.exec(`
        create virtual table if not exists search.${table}_index
          using fts5(app, body, content='', contentless_delete=1, tokenize='trigram');
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
      this.#addApps(table, 'id > ? and id <= ?', [from, last])
      const result = this.#connection.run(
        `insert or replace into search.${table}_index (rowid, app, body)
         select id, (select key from search.apps where apps.app_id = ${table}.app_id), ${bodyOf(columns)}
         from main.${table} where id > ? and id <= ?`,
        [from, last],
      )
      this.#setProgress(table, last)
      return result
    })
    return Number(numAffectedRows ?? 0)
  }

  #addApps(table: string, rows: string, parameters: unknown[]): void {
    const apps = `select distinct app_id from main.${table} where ${rows}`
    this.#connection.run(`insert or ignore into search.apps (app_id) ${apps}`, parameters)
  }

  #indexChangedRows({ table, columns }: SearchSource, { after, last }: { after: number; last: number }): void {
    this.#atomically(() => {
      const changed = `select row_id from main.search_changes where source = ? and seq > ? and seq <= ?`
      this.#connection.run(`delete from search.${table}_index where rowid in (${changed})`, [table, after, last])
      // A restored row may be the first one of its app that this index sees.
      this.#addApps(table, `id in (${changed})`, [table, after, last])
      this.#connection.run(
        `insert into search.${table}_index (rowid, app, body)
         select id, (select key from search.apps where apps.app_id = ${table}.app_id), ${bodyOf(columns)}
         from main.${table}
         where id in (${changed}) and id <= (select indexed_to from search.progress where source = ?)`,
        [table, after, last, table],
      )
    })
  }

  /**
   * An index with numbers that the database has not assigned yet belongs to a newer copy of it: the database was
   * restored. The queue of changes covers deleted and reworded rows, too.
   */
  #forgetIfNewerThan(issued: IssuedNumbers): void {
    const tables = [changesTable, ...this.#sources.map(({ table }) => table)]
    if (tables.some((table) => this.#progress(table) > (issued[table] ?? 0))) this.#forget(this.#lastDroppedChange())
  }

  /**
   * Changes leave the queue once they are indexed. An index that lacks one of those is older than the database: a power
   * cut took its last commits, which are not flushed, or an older copy of it was put back. A new file is empty anyway.
   */
  #forgetIfChangesAreMissing(): void {
    // Read first: another thread indexes changes before it drops them.
    const lastDropped = this.#lastDroppedChange()
    if (this.#progress(changesTable) < lastDropped) this.#forget(lastDropped)
  }

  /** All rows are indexed anew, as they are after this change. */
  #forget(lastDropped: number): void {
    this.#atomically(() => {
      for (const { table } of this.#sources) {
        this.#connection.run(`delete from search.${table}_index`, [])
        this.#setProgress(table, 0)
      }
      this.#setProgress(changesTable, lastDropped)
    })
  }

  /** The last change before those in the queue. */
  #lastDroppedChange(): number {
    const first = `coalesce(
      (select min(seq) from main.search_changes),
      (select seq + 1 from main.sqlite_sequence where name = '${changesTable}'),
      1
    )`
    return this.#number(`select ${first} - 1 as n`, []) ?? 0
  }

  #progress(table: string): number {
    return this.#number('select indexed_to as n from search.progress where source = ?', [table]) ?? 0
  }

  #setProgress(table: string, indexedTo: number): void {
    this.#connection.run('update search.progress set indexed_to = ? where source = ?', [indexedTo, table])
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
      // A full disk has ended the transaction already; a second error would hide the first one.
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }
}

const firstPrivateCharacter = 0xe000
const privateCharacters = 6400

/** The number of an app as one trigram that no text contains, so that a search reads only hits of its own app. */
const appKey = `char(${[1, privateCharacters, privateCharacters ** 2]
  .map((unit) => `${firstPrivateCharacter} + number / ${unit} % ${privateCharacters}`)
  .join()})`

/** The match expression that limits a search to this app; an app without rows in the index has no key. */
export const matchOfApp = (appId: string, text: string) => {
  const phrase = `"${text.replaceAll('"', '""')}"`
  return sql<string>`coalesce(
    (select 'app : "' || key || '" AND body : ' || ${phrase} from search.apps where app_id = ${appId}), 'app : "none"'
  )`
}

/** The searched columns as one text; a line break prevents matches across columns. */
export function bodyOf(columns: readonly string[]): string {
  return columns.map((column) => `coalesce(${column}, '')`).join(` || char(10) || `)
}
