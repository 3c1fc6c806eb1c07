import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { RowSum, type TableSum } from '#database/copy/table-copy.ts'
import type { Database } from '#database/database.ts'
import { migratePostgres, migrateSqlite } from '#database/migrate.ts'
import { firstRelease } from '#database/migrations/001-first-release/first-release.ts'
import { migrations } from '#database/migrations/list.ts'
import type { DoneMigration } from '#database/migrations/pre-release.ts'
import { openDatabase } from '#database/open-database.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { sealedBackup } from '#testing/sealed-backup.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { archiveFormat, type ArchiveRecord, type Head, preReleaseFormat } from './archive.ts'
import { type DataLocation, makeBackup } from './make-backup.ts'
import { readBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import type { SealKey } from './sealed-file.ts'

/** Backups of earlier versions, and of databases that an earlier version has made. */

const scratch = mkdtempSync(join(tmpdir(), 'signet-older-backup-'))
const secret = randomBytes(32)
const masterKey = new MasterKey(secret)
const masterKeyFile = join(scratch, 'master.key')
writeFileSync(masterKeyFile, secret.toString('base64url'), { mode: 0o600 })
const key: SealKey = { kind: 'key', key: masterKey.derive('backups') }
const now = 1_790_000_000
let made = 0
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const newFolder = (): string => {
  const folder = join(scratch, String(++made))
  mkdirSync(folder)
  return folder
}
const newLocation = async (): Promise<DataLocation> => ({
  dataDir: newFolder(),
  databaseUrl: testEngine === 'postgres' ? await freshPostgresUrl() : undefined,
})
const restore = (to: DataLocation, file: string) =>
  restoreBackup({ file, location: to, masterKey, masterKeyFile, key, replaces: false, now })

async function using<T>(location: DataLocation, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ ...location, sources: [] })
  return work(db).finally(() => db.close())
}
const listMigrations = async (db: Database) =>
  (await sql<{ number: number; name: string }>`select number, name from migrations order by number`.execute(db.read))
    .rows

const head = (migration: number, format = archiveFormat): Head => ({
  is: 'head',
  format,
  createdAt: now,
  migration,
  masterKeyCheck: masterKey.checkValue,
  auditHead: { seq: 0, hash: '' },
})

const heads = [
  { of: 'the first release', older: head(1) },
  { of: 'the last pre-release version', older: head(46, preReleaseFormat) },
]

test.each(heads)('upgrades a backup of $of', async ({ older }) => {
  const to = await newLocation()
  const content = [
    { name: 'setup_tokens', columns: ['expires_at', 'token_hash'], rows: [[5, 'old']] },
    // Each database has this row, of an audit without entries here.
    {
      name: 'audit_head',
      columns: ['blanked_seq', 'hash', 'id', 'logged_at', 'mac', 'seq'],
      rows: [[0, '', 1, 0, '', 0]],
    },
  ]
  const sums = content.map(({ name, rows }): [string, TableSum] => {
    const sum = new RowSum()
    sum.add(rows)
    return [name, sum.value]
  })
  const file = await sealedBackup(newFolder(), key, [
    older,
    ...content.flatMap(({ name, columns, rows }): ArchiveRecord[] => [
      { is: 'table', name, columns },
      { is: 'rows', rows },
    ]),
    { is: 'end', tables: Object.fromEntries(sums), issued: {}, files: {}, ledgerProblems: 0 },
  ])
  await restore(to, file)
  await using(to, async (db) => {
    const done = await listMigrations(db)
    expect(done.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
    const tokens = await db.read.selectFrom('setup_tokens').selectAll().execute()
    expect(tokens).toEqual([{ token_hash: 'old', expires_at: 5 }])
  })
})

test.each([1, 45, 47])('rejects a backup of pre-release migration %i and leaves nothing of it', async (number) => {
  const to = await newLocation()
  const end: ArchiveRecord = { is: 'end', tables: {}, issued: {}, files: {}, ledgerProblems: 0 }
  const file = await sealedBackup(newFolder(), key, [head(number, preReleaseFormat), end])
  const text = `of another pre-release version (migration ${number}). Restore it with that version`
  await expect(restore(to, file)).rejects.toThrow(text)
  expect(existsSync(join(to.dataDir, 'signet.db'))).toBe(false)
})

/** The tables of the first release alone, said to be made by these migrations. */
async function plant(location: DataLocation, done: readonly DoneMigration[]): Promise<void> {
  const inserts = done.map(({ number, name }) => `insert into migrations values (${number}, '${name}')`)
  const statements = ['delete from migrations', ...inserts].join(';\n')
  if (location.databaseUrl) {
    const pool = new pg.Pool({ connectionString: location.databaseUrl })
    if (!(await pool.query(`select to_regclass('migrations') as found`)).rows[0].found)
      await migratePostgres(pool, [firstRelease])
    await pool.query(statements)
    await pool.end()
    return
  }
  const file = join(location.dataDir, 'signet.db')
  const isNew = !existsSync(file)
  const connection = new SqliteConnection(file, { durable: false })
  if (isNew) migrateSqlite(connection, [firstRelease])
  connection.database.exec(statements)
  connection.close()
}

test('restores a backup of the last pre-release version unchanged, and rejects an older one', async () => {
  const location = await newLocation()
  const first = { number: 1, name: 'accounts' }
  const last = { number: 46, name: 'the owner of a lane of jobs' }
  await plant(location, [first, last])
  const back = () => makeBackup({ location, masterKey, masterKeyFile, key, folder: newFolder(), now })
  const [one, two] = [await back(), await back()]
  for (const { file, warnings } of [one, two]) {
    expect(warnings).toEqual([])
    expect((await readBackup(file, { key })).head).toMatchObject({ format: archiveFormat, migration: 1 })
  }
  await restore(await newLocation(), two.file)
  // Its own record of a backup would have carried the database over.
  const backups = await using(location, async (db) => db.read.selectFrom('backups').selectAll().execute())
  expect(backups).toEqual([])
  await plant(location, [first])
  await expect(back()).rejects.toThrow('of an old pre-release version (migration 1)')
})
