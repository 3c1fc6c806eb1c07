import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copySqliteFiles } from '#testing/faults/sqlite-faults.ts'
import type { Database } from '../database.ts'
import { databaseIsUnavailable } from '../unavailable.ts'
import { type LogFile, writeAheadLog } from './log-flush.ts'
import { openSqlite, type SqliteOptions } from './open-sqlite.ts'
import { SqliteConnection } from './sqlite-connection.ts'

let folder: string
let file: string
let db: Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-flush-'))
  file = join(folder, 'signet.db')
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (options: Partial<SqliteOptions> = {}) => (db = await openSqlite({ file, sources: [], ...options }))
const insert = (name: string) =>
  db.write(({ db: trx }) => trx.insertInto('setup_tokens').values({ token_hash: name, expires_at: 0 }).execute())
const namesIn = async (handle = db.read) => {
  const rows = await handle.selectFrom('setup_tokens').select('token_hash').orderBy('token_hash').execute()
  return rows.map(({ token_hash: name }) => name)
}
const count = (databaseFile: string) => {
  const connection = new SqliteConnection(databaseFile)
  const [row] = connection.run('select count(*) as n from setup_tokens', []).rows
  connection.close()
  return Number(row?.['n'])
}

/** A disk whose flushes wait until they are let through. */
class HeldLog implements LogFile {
  readonly #log = writeAheadLog(file)
  #waiting: (() => void)[] = []
  isHeld = false
  begun = 0

  async flush(): Promise<void> {
    this.begun += 1
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await this.#log.flush()
  }

  release(): void {
    this.isHeld = false
    for (const resume of this.#waiting.splice(0)) resume()
  }

  async close(): Promise<void> {
    await this.#log.close()
  }
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))
/** Long enough for everything that does not wait for the disk. */
const someTurns = async () => {
  for (let turns = 0; turns < 50; turns++) await turnOfTheLoop()
}

test('what somebody was told is on the disk: everything acknowledged or read was flushed before', async () => {
  const log = writeAheadLog(file)
  /** The files at the begin of the last flush that has ended: what a power cut leaves at least. */
  let kept = join(folder, 'kept-0.db')
  let flushes = 0
  await open({
    log: {
      async flush() {
        const copy = join(folder, `kept-${++flushes}.db`)
        copySqliteFiles(file, copy)
        await log.flush()
        kept = copy
      },
      close: () => log.close(),
    },
  })
  const told: { name: string; kept: string }[] = []
  const chain = async (writer: string) => {
    for (let n = 0; n < 8; n++) {
      const name = `${writer} ${n}`
      await insert(name)
      told.push({ name, kept })
    }
  }
  const writers = { busy: true }
  const reader = async (handle: Database['read']) => {
    while (writers.busy) {
      const names = await namesIn(handle)
      told.push(...names.map((name) => ({ name, kept })))
      await turnOfTheLoop()
    }
  }
  const reading = Promise.all([reader(db.read), reader(db.reports)])
  await Promise.all(['a', 'b', 'c', 'd'].map(chain))
  writers.busy = false
  await reading
  const lost: string[] = []
  for (const copy of new Set(told.map((each) => each.kept))) {
    const after = await openSqlite({ file: copy, sources: [], durable: false })
    const found = new Set(await namesIn(after.read))
    await after.close()
    lost.push(...told.flatMap((each) => (each.kept === copy && !found.has(each.name) ? [each.name] : [])))
  }
  expect(lost).toEqual([])
  expect(told.length).toBeGreaterThan(32)
})

test('the event loop does not wait for the disk, and commits during a flush share the next one', async () => {
  const log = new HeldLog()
  await open({ log })
  await insert('first')
  const { begun } = log
  log.isHeld = true
  const answered: string[] = []
  const writes: Promise<unknown>[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    writes.push(insert(name).then(() => answered.push(name)))
    await someTurns()
  }
  expect({ answered, flushes: log.begun - begun, committed: count(file) }).toEqual({
    answered: [],
    flushes: 1,
    committed: 5,
  })
  log.release()
  await Promise.all(writes)
  expect({ answered, flushes: log.begun - begun }).toEqual({ answered: ['a', 'b', 'c', 'd'], flushes: 2 })
})

test('a read returns rows that are not on the disk yet only once they are', async () => {
  const log = new HeldLog()
  await open({ log })
  await insert('a')
  expect(await namesIn()).toEqual(['a'])
  log.isHeld = true
  const writing = insert('b')
  await someTurns()
  const found: string[][] = []
  const reading = [db.read, db.reports].map(async (handle) => void found.push(await namesIn(handle)))
  // A transaction that changes nothing has read it, too.
  const inTransaction = db.write(({ db: trx }) => namesIn(trx)).then((names) => found.push(names))
  await someTurns()
  expect(found).toEqual([])
  log.release()
  await Promise.all([writing, ...reading, inTransaction])
  expect(found).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ])
})

test('after a failed flush nothing is acknowledged or read, even if the next flush would succeed', async () => {
  const log = writeAheadLog(file)
  let fails = false
  const failures: unknown[] = []
  await open({
    log: {
      async flush() {
        if (fails) throw new Error('EIO')
        await log.flush()
      },
      close: () => log.close(),
    },
    onDiskFailure: (error) => failures.push(error),
  })
  await insert('a')
  fails = true
  const outcomes: PromiseSettledResult<unknown>[] = await Promise.allSettled([insert('b'), insert('c')])
  fails = false
  outcomes.push(...(await Promise.allSettled([insert('d'), namesIn(), namesIn(db.reports)])))
  for (const outcome of outcomes) {
    expect(outcome.status).toBe('rejected')
    expect(databaseIsUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true)
  }
  expect(failures).toEqual([new Error('EIO')])
})

test('the close waits for the disk', async () => {
  const log = new HeldLog()
  await open({ log })
  log.isHeld = true
  const order: string[] = []
  const writing = insert('a').then(() => order.push('answer'))
  await someTurns()
  const closing = db.close().then(() => order.push('closed'))
  await someTurns()
  expect(order).toEqual([])
  log.release()
  await Promise.all([writing, closing])
  expect(order).toEqual(['answer', 'closed'])
  expect(count(file)).toBe(1)
})

test('a log left behind by a process that ended is in the database before the first call', async () => {
  await open()
  await Promise.all(['a', 'b', 'c'].map(insert))
  const copy = join(folder, 'copy.db')
  copySqliteFiles(file, copy)
  await db.close()
  file = copy
  await open()
  const databaseOnly = join(folder, 'without-log.db')
  copySqliteFiles(file, databaseOnly)
  rmSync(`${databaseOnly}-wal`)
  expect(count(databaseOnly)).toBe(3)
})
