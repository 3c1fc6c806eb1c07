import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Checkpoints } from './checkpoints.ts'
import { openSqlite } from './open-sqlite.ts'
import { SqliteConnection } from './sqlite-connection.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-checkpoints-'))
  file = join(folder, 'signet.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Grows by one each time the log starts anew, which it does only when all of it is in the database. */
function restarts(): number {
  const header = Buffer.alloc(16)
  const log = openSync(`${file}-wal`, 'r')
  readSync(log, header)
  closeSync(log)
  return header.readUInt32BE(12)
}

test('under steady load the log starts anew again and again', async () => {
  const db = await openSqlite({ file, sources: [] })
  onTestFinished(() => db.close())
  const insert = (name: string) =>
    db.write(({ db: trx }) => trx.insertInto('setup_tokens').values({ token_hash: name, expires_at: 0 }).execute())
  await insert('first')
  const before = restarts()
  let inserted = 1
  const chain = async (name: string) => {
    while (restarts() < before + 2) {
      await insert(`${name} ${inserted}`)
      inserted += 1
    }
  }
  await Promise.all(['a', 'b', 'c'].map(chain))
  const rows = await db.read.selectFrom('setup_tokens').select('token_hash').execute()
  expect(rows.length).toBe(inserted)
})

test('what was committed during a checkpoint is copied by a second one, which transactions wait for', async () => {
  const connection = new SqliteConnection(file)
  connection.leaveFlushesToOthers()
  connection.run('create table numbers (n integer)', [])
  const checkpoints = new Checkpoints({ databaseFile: file, commits: 1 })
  onTestFinished(async () => {
    await checkpoints.close()
    connection.close()
  })
  const commit = (n: number) => {
    connection.run('insert into numbers values (?)', [n])
    checkpoints.committed(1)
  }
  const before = restarts()
  expect(checkpoints.rest()).toBeUndefined()
  commit(1)
  commit(2)
  const secondBegins = () => checkpoints.rest() ?? Promise.reject(new Error('The first checkpoint has not ended'))
  await vi.waitFor(secondBegins, { timeout: 60_000 })
  commit(3)
  expect(restarts()).toBe(before + 1)
})

test('the end of a failed thread is not taken for that of the next one', async () => {
  const errors: string[] = []
  const checkpoints = new Checkpoints({
    // Not a file.
    databaseFile: folder,
    commits: 1,
    onError: (error) => errors.push(String(error)),
  })
  onTestFinished(() => checkpoints.close())
  for (let failed = 1; failed <= 3; failed++) {
    checkpoints.committed(1)
    while (errors.length < failed) await new Promise(setImmediate)
  }
  expect(new Set(errors)).toEqual(new Set(['Error: Checkpoint: Error: unable to open database file']))
})
