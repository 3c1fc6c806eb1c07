import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { lockSqliteFile } from '#testing/faults/sqlite-faults.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { databaseIsUnavailable } from '../unavailable.ts'
import { DatabaseInUse } from './file-lock.ts'
import { openSqlite } from './open-sqlite.ts'
import { SqliteConnection, sqliteDialect } from './sqlite-connection.ts'

/** Locks of other processes: on the file's rows, which pass, and on the file as a whole, which is one server's. */

let folder: string
let file: string
let db: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signet-locks-'))
  file = join(folder, 'signet.db')
  db = await openSqlite({ file, sources: [], durable: false, maxLockWaitMs: 60_000 })
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (name: string, into = db) =>
  into.write(({ db: trx }) => trx.insertInto('setup_tokens').values({ token_hash: name, expires_at: 0 }).execute())
const names = async () => {
  const rows = await db.read.selectFrom('setup_tokens').select('token_hash').orderBy('token_hash').execute()
  return rows.map((row) => row.token_hash)
}

test('while another process holds the write lock, timers and reads continue and writes complete afterwards', async () => {
  const release = lockSqliteFile(file)
  const writes = Promise.all(['a', 'b', 'c'].map((name) => insert(name)))
  // With a wait on this thread the lock, which this thread must end, would never end.
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(await names()).toEqual([])
  release()
  await writes
  expect(await names()).toEqual(['a', 'b', 'c'])
})

test('a read of a fully locked file waits without blocking the thread', async () => {
  const other = new DatabaseSync(join(folder, 'other.db'))
  other.exec('create table numbers (n integer); insert into numbers values (7)')
  const reader = new SqliteConnection(join(folder, 'other.db'), { readOnly: true })
  reader.neverBlock()
  const numbers = new Kysely<{ numbers: { n: number } }>({ dialect: sqliteDialect(reader) }).selectFrom('numbers')
  other.exec('begin exclusive')
  const reading = numbers.selectAll().execute()
  await new Promise((resolve) => setTimeout(resolve, 1))
  other.exec('commit')
  expect(await reading).toEqual([{ n: 7 }])
  reader.close()
  other.close()
})

test('the main thread never waits inside SQLite', async () => {
  const timeout = sql<{ timeout: number }>`pragma busy_timeout`
  expect((await timeout.execute(db.read)).rows).toEqual([{ timeout: 0 }])
  expect((await db.write(({ db: trx }) => timeout.execute(trx))).rows).toEqual([{ timeout: 0 }])
})

test('a lock that outlasts the wait fails the waiting calls as unavailable, and nothing else', async () => {
  await db.close()
  db = await openSqlite({ file, sources: [], durable: false, maxLockWaitMs: 30 })
  const release = lockSqliteFile(file)
  const outcomes = await Promise.allSettled(['a', 'b'].map((name) => insert(name)))
  release()
  for (const outcome of outcomes) {
    expect(outcome.status).toBe('rejected')
    expect(databaseIsUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true)
  }
  await insert('c')
  expect(await names()).toEqual(['c'])
})

test('the queue behind a lock is bounded: further calls are rejected at once', async () => {
  const release = lockSqliteFile(file)
  const crowd = Promise.allSettled(Array.from({ length: 10_300 }, (_, n) => insert(`${n}`.padStart(5, '0'))))
  release()
  const rejected = (await crowd).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []))
  expect(rejected.length).toBeGreaterThan(0)
  expect(rejected.every(databaseIsUnavailable)).toBe(true)
  expect((await names()).length).toBe(10_300 - rejected.length)
})

const open = () => openDatabase({ dataDir: folder, sources: [] })

test('rejects a second server on one file, and names the server that uses it', async () => {
  await db.close()
  db = await open()
  await expect(open()).rejects.toThrow(DatabaseInUse)
  await expect(open()).rejects.toThrow(
    new RegExp(`signet\\.db is served by another Signet \\(process ${process.pid} on `),
  )
  await insert('the first goes on')
  expect(await names()).toEqual(['the first goes on'])
})

test('releases the file when its server closes it or fails to start', async () => {
  await db.close()
  for (let times = 0; times < 2; times++) await (await open()).close()
  const newer = new DatabaseSync(file)
  newer.exec("insert into migrations values (9999, 'from a newer version')")
  for (let times = 0; times < 2; times++) await expect(open()).rejects.toThrow('from a newer version')
  newer.exec('delete from migrations where number = 9999')
  newer.close()
  db = await open()
  await insert('a')
})

test('a killed server leaves no lock, even if another process now has its process ID', async () => {
  await db.close()
  const script = `
    import { claimDatabaseFile } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))}
    globalThis.release = claimDatabaseFile(${JSON.stringify(file)})
    console.log('claimed')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  await expect(open()).rejects.toThrow(`process ${child.pid} on`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  db = await open()
  await insert('the next one')
})
