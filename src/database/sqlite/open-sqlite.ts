import { type Expression, Kysely, sql, type SqlBool, type Transaction } from 'kysely'
import { Announcements } from '../announcements.ts'
import type { Database, Unit } from '../database.ts'
import { migrateSqlite } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { likePattern, type SearchSource, shortestIndexedSearch } from '../search-source.ts'
import { GroupCommit } from './group-commit.ts'
import { ReportThread } from './report-thread.ts'
import { SqliteConnection, sqliteDialect } from './sqlite-connection.ts'
import { bodyOf, issuedNumbers } from './trigram-index.ts'

export interface SqliteOptions {
  file: string
  sources: readonly SearchSource[]
  /** False only in tests and benchmarks of reads: commits without waiting for the disk. */
  durable?: boolean
  /** How long after a commit the search index catches up. */
  indexDelayMs?: number
  onIndexError?: (error: unknown) => void
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { file, sources, durable = true } = options
  const writer = new SqliteConnection(file, { durable })
  migrateSqlite(writer)
  const reader = new SqliteConnection(file, { readOnly: true })
  const thread = new ReportThread({
    databaseFile: file,
    searchFile: `${file}-search`,
    sources,
    issued: issuedNumbers(writer),
  })
  const commits = new GroupCommit(writer)
  const announcements = new Announcements()
  const trx = new Kysely<Schema>({ dialect: sqliteDialect(writer) }) as unknown as Transaction<Schema>

  let indexTimer: NodeJS.Timeout | undefined
  let indexing: Promise<void> | undefined
  let closed = false

  async function catchUpIndex(): Promise<void> {
    const indexedTo = await thread.catchUpIndex()
    if (closed || indexedTo === 0) return
    await commits.submit(async () => {
      await sql`delete from search_changes where seq <= ${indexedTo}`.execute(trx)
    })
  }

  /** Changes whenever a searched row comes, goes or is reworded: ids are never reused. */
  const counters = ['search_changes', ...sources.map(({ table }) => table)]
  const countersSql = `select name, seq from sqlite_sequence where name in (${counters.map(() => '?').join()}) order by name`
  const searchedState = () => JSON.stringify(reader.run(countersSql, counters).rows)
  let indexedState = searchedState()

  function catchUpSoon(): void {
    if (indexTimer || closed) return
    indexTimer = setTimeout(() => {
      indexTimer = undefined
      // What is not indexed is found all the same; a thread for nothing would cost memory.
      const state = searchedState()
      if (state === indexedState) return
      indexedState = state
      indexing = catchUpIndex().catch((error: unknown) => (closed ? undefined : options.onIndexError?.(error)))
    }, options.indexDelayMs ?? 500).unref()
  }

  return {
    engine: 'sqlite',
    read: new Kysely<Schema>({ dialect: sqliteDialect(reader) }),
    reports: new Kysely<Schema>({ dialect: sqliteDialect(thread) }),
    announcements,

    async write<T>(work: (unit: Unit) => Promise<T>): Promise<T> {
      const topics: string[] = []
      const effects: (() => void)[] = []
      const unit: Unit = {
        trx,
        announce: (topic) => void topics.push(topic),
        afterCommit: (effect) => void effects.push(effect),
      }
      const result = await commits.submit(() => work(unit))
      for (const topic of topics) announcements.tell(topic)
      for (const effect of effects) effect()
      catchUpSoon()
      return result
    },

    matches: (source, text) => sqliteMatches(source, text),
    async searchSettled() {
      await commits.idle()
      await catchUpIndex()
    },
    async ping() {
      reader.run('select 1', [])
    },
    async close() {
      closed = true
      clearTimeout(indexTimer)
      await commits.idle()
      await indexing
      await thread.close()
      reader.close()
      writer.close()
    },
  }
}

/** Through the index where it can be used, plus the tail that the index does not hold yet. */
function sqliteMatches({ table, columns }: SearchSource, text: string): Expression<SqlBool> {
  const id = sql.ref(`${table}.id`)
  const body = sql.raw(bodyOf(columns.map((column) => `main.${table}.${column}`)))
  const like = sql<SqlBool>`${body} like ${likePattern(text)} escape '\\'`
  if ([...text].length < shortestIndexedSearch) return like
  const index = sql.raw(`search.${table}_index`)
  const rows = sql.raw(`main.${table}`)
  const phrase = `"${text.replaceAll('"', '""')}"`
  const changed = sql`select row_id from main.search_changes where source = ${table}`
  return sql<SqlBool>`${id} in (
    select rowid from ${index} where ${sql.raw(`${table}_index`)} match ${phrase} and rowid not in (${changed})
    union all
    select id from ${rows} where id > (select indexed_to from search.progress where source = ${table}) and ${like}
    union all
    select id from ${rows} where id in (${changed}) and ${like}
  )`
}
