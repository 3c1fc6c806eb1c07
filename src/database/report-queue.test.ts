import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { getPriority, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { asReportCaller, RequestAborted, ReportQueue, throwIfAborted } from './report-queue.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

const priorities = () => readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))

const of = (owner: string, signal?: AbortSignal) => ({ owner, signal })

describe('the queue', () => {
  /** Reports that end when they are told to, and the order in which they began. */
  function newQueue(maxRunning: number) {
    const queue = new ReportQueue(maxRunning)
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const ask = (name: string, signal?: AbortSignal) =>
      queue.run(of(name.slice(0, 1), signal), async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
      })
    const end = async (name: string) => {
      ends.get(name)?.()
      await new Promise(setImmediate)
    }
    return { begun, ask, end }
  }

  test('an owner runs one report at a time, and owners take turns', async () => {
    const { begun, ask, end } = newQueue(2)
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name))
    await new Promise(setImmediate)
    expect(begun).toEqual(['a1', 'b1'])
    await end('b1')
    // Of those who wait the one that had no turn yet.
    expect(begun).toEqual(['a1', 'b1', 'c1'])
    await end('a1')
    await end('c1')
    expect(begun).toEqual(['a1', 'b1', 'c1', 'b2', 'a2'])
    for (const name of ['b2', 'a2', 'a3']) await end(name)
    await Promise.all(all)
  })

  test('a caller that disconnects while waiting leaves the queue, and its report never runs', async () => {
    const { begun, ask, end } = newQueue(1)
    const left = new AbortController()
    const first = ask('a1')
    const second = ask('b1', left.signal)
    const third = ask('c1')
    left.abort()
    await expect(second).rejects.toThrow(RequestAborted)
    await end('a1')
    expect(begun).toEqual(['a1', 'c1'])
    await end('c1')
    await Promise.all([first, third])
  })

  test('a failed report frees its slot for the next one', async () => {
    const queue = new ReportQueue(1)
    const failed = queue.run(of('a'), () => Promise.reject(new Error('broken')))
    const next = queue.run(of('a'), () => Promise.resolve('read'))
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('read')
  })
})

describe('reports of a database', () => {
  let folder: string
  let db: Database

  const open = async (reportMs?: number) => {
    const options = reportMs === undefined ? {} : { reportMs }
    return testEngine === 'postgres'
      ? openPostgres({ url: await freshPostgresUrl(), connections: { calls: 4 }, ...options })
      : openSqlite({ file: join(folder, 'signet.db'), sources: [], durable: false, ...options })
  }
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signet-reports-'))
    db = await open()
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Reads until somebody stops it. */
  const endless = () =>
    testEngine === 'postgres'
      ? sql`select pg_sleep(3600)`.execute(db.reports)
      : sql`with recursive n (x) as (select 1 union all select x + 1 from n)
          select count(*) from n where x % 1024 <> 0 or report_goes_on()`.execute(db.reports)
  const one = () => sql<{ n: number }>`select 1 as n`.execute(db.reports)

  test("twenty endless reports of one owner don't delay another, and end when their caller disconnects", async () => {
    const left = new AbortController()
    const many = asReportCaller(of('a', left.signal), () => Array.from({ length: 20 }, endless))
    const outcomes = Promise.allSettled(many)
    expect((await asReportCaller(of('b'), one)).rows).toEqual([{ n: 1 }])
    left.abort()
    for (const outcome of await outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(RequestAborted)
    }
    // The owner's place is free again.
    expect((await asReportCaller(of('a'), one)).rows).toEqual([{ n: 1 }])
  })

  test('a report that takes too long is stopped, so its owner can read again', async () => {
    await db.close()
    db = await open(100)
    await expect(asReportCaller(of('a'), endless)).rejects.toMatchObject({ code: '57014' })
    expect((await asReportCaller(of('a'), one)).rows).toEqual([{ n: 1 }])
  })

  test.skipIf(testEngine !== 'sqlite' || platform() !== 'linux')(
    'report threads get the processor only when no other thread needs it',
    async () => {
      const own = getPriority()
      // A high number is a low priority.
      const low = () => priorities().filter((priority) => priority > own).length
      const before = low()
      await asReportCaller(of('a'), one)
      expect(low()).toBe(before + 1)
      expect(getPriority()).toBe(own)
    },
  )

  test('a transaction runs for its own caller even though waiting transactions share a commit', async () => {
    const left = new AbortController()
    left.abort()
    const stays = db.write(async () => throwIfAborted())
    const gone = asReportCaller(of('a', left.signal), () => db.write(async () => throwIfAborted()))
    expect(await Promise.allSettled([stays, gone])).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: expect.any(RequestAborted) },
    ])
  })
})
