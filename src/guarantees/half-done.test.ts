import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '#database/database.ts'
import { openSqlite } from '#database/sqlite/open-sqlite.ts'
import { PostgresLine } from '#testing/faults/postgres-faults.ts'
import {
  beforeEachStatement,
  copySqliteFiles,
  diskFails,
  fillDisk,
  lockSqliteFile,
} from '#testing/faults/sqlite-faults.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

/** Whatever ends an action in its middle, it was done or it was not: nothing acknowledged is lost and nothing is half done. */

let app: TestApp
let line: PostgresLine | undefined
let owner: OwnedApp
let file: string
const scratch = mkdtempSync(join(tmpdir(), 'signet-half-'))

beforeAll(async () => {
  if (testEngine === 'postgres') line = await PostgresLine.start(await freshPostgresUrl())
  app = await startTestApp({ postgres: line ? { url: line.url } : {}, sqlite: { durable: true, maxLockWaitMs: 40 } })
  file = join(app.services.config.dataDir, 'signet.db')
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
})
afterAll(async () => {
  await app.close()
  await line?.close()
  rmSync(scratch, { recursive: true, force: true })
})

const ban = (names: string[]) => owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: names } })

/** What one action on many rows leaves: rows, counts, the audit row and the states to restore, which go together. */
async function stateOf(db: Database) {
  const rows = await db.read
    .selectFrom('licenses')
    .select(['license', 'banned'])
    .where('app_id', '=', owner.appId)
    .execute()
  const audit = await db.read
    .selectFrom('audit')
    .select('act')
    .where('app_id', '=', owner.appId)
    .where('act', 'like', 'license%ban%')
    .execute()
  const undo = await db.read.selectFrom('undo_operations').select('id').where('app_id', '=', owner.appId).execute()
  return {
    licenses: rows.length,
    banned: rows.filter(({ banned }) => banned === 1).length,
    audit: audit.length,
    undo: undo.length,
  }
}
const untouched = { licenses: 40, banned: 0, audit: 0, undo: 0 }
const done = { licenses: 40, banned: 40, audit: 1, undo: 1 }

describe.runIf(testEngine === 'sqlite')('on SQLite', () => {
  async function openCopy(copy: string): Promise<Database> {
    return openSqlite({ file: copy, sources: [], durable: false })
  }

  test('the process dies between any two steps of a bulk action', async () => {
    const names = await newLicenses(owner, 40)
    const copies: string[] = []
    const { status } = await beforeEachStatement(
      app.db,
      (nth) => {
        const copy = join(scratch, `step-${nth}.db`)
        copySqliteFiles(file, copy)
        copies.push(copy)
      },
      () => ban(names),
    )
    expect(status).toBe(200)
    expect(copies.length).toBeGreaterThan(4)
    for (const copy of copies) {
      const db = await openCopy(copy)
      expect(await stateOf(db)).toEqual(untouched)
      await db.close()
    }
    expect(await stateOf(app.db)).toEqual(done)
  })

  test('any statement of a bulk action fails: 503, no changes remain, and the next try completes it', async () => {
    const names = await newLicenses(owner, 40)
    let failed = 0
    for (let nth = 1; ; nth++) {
      const failAt = (each: number) => {
        if (each === nth) throw diskFails()
      }
      const answer = await beforeEachStatement(app.db, failAt, () => ban(names))
      if (answer.status === 200) break
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'DATABASE_UNAVAILABLE' })
      expect(await stateOf(app.db)).toEqual(untouched)
      failed += 1
    }
    expect(failed).toBeGreaterThan(4)
    expect(await stateOf(app.db)).toEqual(done)
  })

  test('a power cut after any byte of the log: all changes acknowledged by then are there, in order', async () => {
    // From an empty log on, so that all of it is of this test.
    const base = join(scratch, 'power.db')
    const seeds = await newLicenses(owner, 6)
    copySqliteFiles(file, base)
    const db = await openSqlite({ file: base, sources: [] })
    const acknowledged: { bytes: number; name: string }[] = []
    for (const name of seeds) {
      await db.write(({ db: trx }) =>
        trx
          .updateTable('licenses')
          .set({ banned: 1 })
          .where('app_id', '=', owner.appId)
          .where('license', '=', name)
          .execute(),
      )
      acknowledged.push({ bytes: statSync(`${base}-wal`).size, name })
    }
    const main = readFileSync(base)
    const log = readFileSync(`${base}-wal`)
    await db.close()
    const frame = 24 + 4096
    const start = (acknowledged[0]?.bytes ?? 0) - 4 * frame
    const cuts: number[] = []
    for (let at = Math.max(start, 0); at < log.length; at += Math.floor(frame / 3)) cuts.push(at)
    cuts.push(...acknowledged.flatMap(({ bytes }) => [bytes - 1, bytes, bytes + 1]).filter((at) => at <= log.length))
    expect(cuts.length).toBeGreaterThan(20)
    const copy = join(scratch, 'cut.db')
    for (const cut of cuts) {
      for (const ending of ['', '-wal', '-shm', '-search']) rmSync(copy + ending, { force: true })
      writeFileSync(copy, main)
      writeFileSync(`${copy}-wal`, log)
      truncateSync(`${copy}-wal`, cut)
      const after = await openCopy(copy)
      const rows = await after.read
        .selectFrom('licenses')
        .select('license')
        .where('app_id', '=', owner.appId)
        .where('banned', '=', 1)
        .execute()
      const found = new Set(rows.map(({ license }) => license))
      const whole = acknowledged.filter(({ bytes }) => bytes <= cut).map(({ name }) => name)
      expect(whole.filter((name) => !found.has(name))).toEqual([])
      expect([...found].toSorted()).toEqual(seeds.slice(0, found.size).toSorted())
      await after.close()
    }
  })

  test('the disk is full: writes are rejected with 503 and Retry-After, reads continue, and free space is enough to recover', async () => {
    const [first = ''] = await newLicenses(owner, 1)
    const makeRoom = await fillDisk(app.db, 3)
    const body = { amount: 500, subscription: 1, expiryUnit: 'days', duration: 30 } as const
    for (let tries = 0; tries < 3; tries++) {
      const answer = await owner.visitor.call('POST /create_licenses', { body })
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'DATABASE_UNAVAILABLE' })
      expect(answer.headers.get('retry-after')).toBe('2')
      const { status, body: list } = await owner.visitor.call('GET /licenses')
      expect({ status, total: list.counts.total }).toEqual({ status: 200, total: 1 })
    }
    await makeRoom()
    expect((await owner.visitor.call('POST /create_licenses', { body })).status).toBe(200)
    expect((await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: first } })).status).toBe(200)
  })

  test('the file is locked: writes are rejected with 503 and Retry-After, and succeed once it is free', async () => {
    const [first = ''] = await newLicenses(owner, 1)
    const release = lockSqliteFile(file)
    const answer = await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: first } })
    const list = await owner.visitor.call('GET /licenses')
    release()
    expect({ status: answer.status, code: answer.body.code, list: list.status }).toEqual({
      status: 503,
      code: 'DATABASE_UNAVAILABLE',
      list: 200,
    })
    expect((await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: first } })).status).toBe(200)
  })
})

describe.runIf(testEngine === 'postgres')('on PostgreSQL', () => {
  test('the connection is lost at any query of a bulk action: no changes remain, and the next try completes it', async () => {
    let names = await newLicenses(owner, 40)
    let failed = 0
    for (let nth = 1; ; nth++) {
      line?.failAt(nth)
      const { status } = await ban(names)
      const isLost = (line?.queries ?? 0) >= nth
      await line?.heal()
      // Who failed to connect meanwhile, a timer of the server too, has everybody rejected for a moment more.
      const state = await vi.waitFor(() => stateOf(app.db), { timeout: 60_000, interval: 100 })
      if (status === 200 && isLost) {
        // A query of the server's own took the loss: once more, with an app in which nothing has been done.
        owner = await newOwnerWithApp(app)
        names = await newLicenses(owner, 40)
        nth -= 1
        continue
      }
      if (status === 200) break
      expect(status).toBe(503)
      expect(state).toEqual(untouched)
      failed += 1
    }
    expect(failed).toBeGreaterThan(4)
    expect(await stateOf(app.db)).toEqual(done)
  })
})
