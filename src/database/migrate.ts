import type pg from 'pg'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/list.ts'
import { carriedOver, type DoneMigration, isPreRelease, renameConstraints } from './migrations/pre-release.ts'
import { rejectMoved } from './sqlite/moved-database.ts'
import type { SqliteConnection } from './sqlite/sqlite-connection.ts'
import { DatabaseUnusable } from './unusable.ts'

const table = 'create table if not exists migrations (number integer primary key, name text not null)'
const listDone = 'select number, name from migrations order by number'

/** Two processes that start together migrate once: the second waits for the write lock and finds nothing to do. */
export function migrateSqlite(connection: SqliteConnection, list: readonly Migration[] = migrations): void {
  const { database } = connection
  database.exec('begin immediate')
  try {
    rejectMoved(connection)
    database.exec(table)
    const insert = ({ number, name }: DoneMigration) =>
      connection.run('insert into migrations values (?, ?)', [number, name])
    let done = doneInSqlite(connection)
    if (isPreRelease(done)) {
      database.exec('delete from migrations')
      done = carriedOver
      for (const each of done) insert(each)
    }
    for (const [number, migration] of pending(list, done)) {
      database.exec(migration.sql('sqlite'))
      insert({ number, name: migration.name })
    }
    database.exec('commit')
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

export const doneInSqlite = (connection: SqliteConnection): readonly DoneMigration[] =>
  connection.run(listDone, []).rows.map(({ number, name }) => ({ number: Number(number), name: String(name) }))

const migrationLock = 7_464_380_119

/** A process of the previous version may write to the same tables in another order than a migration locks them. */
const deadlock = '40P01'
const maxAttempts = 10

export async function migratePostgres(pool: pg.Pool, list: readonly Migration[] = migrations): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToMigrate(pool, list)
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlock || attempt === maxAttempts) throw error
    }
  }
}

async function tryToMigrate(pool: pg.Pool, list: readonly Migration[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query('begin')
    await migrateInTransaction(client, list)
    await client.query('commit')
    client.release()
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    throw error
  }
}

/** In the caller's transaction, so that a process that starts meanwhile waits for its end. */
export async function migrateInTransaction(
  client: pg.ClientBase,
  list: readonly Migration[] = migrations,
): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
  await rejectHalfCopy(client)
  await client.query(table)
  const insert = ({ number, name }: DoneMigration) =>
    client.query('insert into migrations values ($1, $2)', [number, name])
  let done = await doneInPostgres(client)
  if (isPreRelease(done)) {
    await client.query(`delete from migrations; ${renameConstraints}`)
    done = carriedOver
    for (const each of done) await insert(each)
  }
  for (const [number, migration] of pending(list, done)) {
    await client.query(migration.sql('postgres'))
    await insert({ number, name: migration.name })
  }
}

export const doneInPostgres = async (client: pg.ClientBase): Promise<readonly DoneMigration[]> =>
  (await client.query<DoneMigration>(listDone)).rows

/** Exists while a database is being copied into this one: its content is incomplete. */
export const copyProgressTable = 'copy_progress'

async function rejectHalfCopy(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [
    copyProgressTable,
  ])
  if (rows[0]?.found) {
    throw new DatabaseUnusable(
      'The PostgreSQL database has an unfinished copy: run npm run migrate-to-postgres again to finish it',
    )
  }
}

function pending(list: readonly Migration[], done: readonly DoneMigration[]): [number, Migration][] {
  const newest = done.at(-1)?.number ?? 0
  if (newest > list.length) {
    throw new DatabaseUnusable(
      `The database is from a newer version (migration ${newest}); this version knows ${list.length}. ` +
        'Install that version again, or restore a backup from before it.',
    )
  }
  return list.slice(newest).map((migration, index) => [newest + index + 1, migration])
}
