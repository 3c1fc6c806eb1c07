import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAccount } from '#features/accounts/accounts.actions.ts'
import { createApp } from '#features/apps/apps.actions.ts'
import { licensesSearch } from '#features/licenses/licenses.reads.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import type { Database } from '../database.ts'
import { reindexRows } from '../reindex-rows.ts'
import { openSqlite } from './open-sqlite.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { issuedNumbers, matchOfApp, TrigramIndex } from './trigram-index.ts'

/** Losing the index in any way only means building it again: a search finds what the database holds. */

let folder: string
let file: string
let db: Database
let appId: string

const open = () => openSqlite({ file, sources: [licensesSearch], durable: false, indexDelayMs: 3_600_000 })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signet-index-'))
  file = join(folder, 'signet.db')
  db = await open()
  appId = await db.write(async (tx) => {
    const form = { username: 'someone', email: 'a@example.com', displayName: 'A', passwordHash: 'x' }
    const { id: ownerId } = await createAccount(tx, form, 1)
    const actor = {
      type: 'owner',
      id: ownerId,
      username: '',
      sessionHash: '',
      verifiedAt: 0,
      selectedAppId: null,
    } as const
    const services = { masterKey: new MasterKey(randomBytes(32)) }
    const context = { actor, services, now: 1, caller: { ip: '', requestId: '' } }
    const app = await createApp(tx, context, { appName: 'Some app' })
    return app.id
  })
  await insert('alpha one', 'alpha two', 'beta three')
  await db.searchSettled()
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

let made = 0
const insert = (...notes: string[]) =>
  db.write(({ db: trx }) =>
    trx
      .insertInto('licenses')
      .values(
        notes.map((note) => ({
          app_id: appId,
          license: `KEY-${++made}`,
          level: 1,
          duration_seconds: 0,
          notes: note,
          created_at: 1,
          ...none,
        })),
      )
      .execute(),
  )
const none = {
  generated_by: null,
  reseller_id: null,
  used_by: null,
  used_by_user_id: null,
  used_at: null,
  expires_at: null,
}
const reword = (from: string, to: string) =>
  db.write((tx) => tx.db.updateTable('licenses').set({ notes: to }).where('notes', '=', from).execute())
const remove = (notes: string) => db.write((tx) => tx.db.deleteFrom('licenses').where('notes', '=', notes).execute())

const other = 'app_of_somebody_else'

/** A license of another app. */
async function insertForeign(): Promise<void> {
  await db.write(async ({ db: trx }) => {
    await sql`insert into apps select ${other}, owner_id, 'Other', 'other', description, version, app_status, vpn_block,
      hwid_lock, hash_check, one_session_per_credential, minimum_hwid_length, hash_to_check, auto_update_link,
      webloader_link, discord_webhook_link, session_expiry_seconds, root_public_key, root_private_sealed,
      box_public_key, box_private_sealed, hwid_pepper_sealed, created_at, last_init_at, deleted_at, imported_hash_cost
      from apps where id = ${appId}`.execute(trx)
    await sql`insert into licenses (app_id, license, level, duration_seconds, notes, created_at)
      values (${other}, 'FOREIGN-1', 1, 0, 'alpha foreign', 1)`.execute(trx)
  })
}

async function found(text: string): Promise<string[]> {
  const { query } = await db.searched(licensesSearch, { appId, text })
  const rows = await query.select('notes').execute()
  return rows.map(({ notes }) => notes).toSorted()
}

/** Every text that ever stood there, against what stands there now; before and after the index catches up. */
async function expectTrueSearch(): Promise<void> {
  const rows = await db.read.selectFrom('licenses').select('notes').execute()
  for (const settled of [false, true]) {
    if (settled) await db.searchSettled()
    for (const text of ['alpha', 'beta', 'gamma', 'delta', 'one', 'two', 'three', 'four', 'KEY-']) {
      const holds = rows.map(({ notes }) => notes).filter((notes) => text === 'KEY-' || notes.includes(text))
      expect(await found(text), `${text}, ${settled ? 'after' : 'before'} catching up`).toEqual(holds.toSorted())
    }
  }
}

const indexFile = () => `${file}-search`
async function reopenAfter(change: () => void): Promise<void> {
  await db.close()
  change()
  db = await open()
}

/** Whether the index itself holds the rows, so that nothing is left to the tail. */
async function expectCaughtUp(): Promise<void> {
  await db.searchSettled()
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from search.licenses_index where licenses_index match 'alpha'`.execute(db.reports)
  expect(rows).toEqual([{ n: (await found('alpha')).length }])
}

describe('a damaged index', () => {
  test.each<[string, () => void]>([
    ['deleted', () => rmSync(indexFile())],
    ['emptied', () => writeFileSync(indexFile(), '')],
    ['overwritten with noise', () => writeFileSync(indexFile(), randomBytes(40_000))],
    ['overwritten with a text', () => writeFileSync(indexFile(), 'not a database'.repeat(1000))],
    ['cut in half', () => truncateSync(indexFile(), Math.floor(readFileSync(indexFile()).length / 2))],
    ['cut after its header', () => truncateSync(indexFile(), 4096)],
    ['spoiled in its middle', () => spoil(0.2, 0.9)],
    ['spoiled at its end', () => spoil(0.6, 1)],
    ['spoiled in its header', () => spoil(0, 0.02)],
  ])('%s: a search still finds what the database holds', async (_name, damage) => {
    await insert('alpha four', 'gamma one')
    await db.searchSettled()
    await reopenAfter(() => {
      fold()
      expect(readFileSync(indexFile()).length).toBeGreaterThan(20_000)
      damage()
    })
    await expectTrueSearch()
    await insert('delta')
    await expectTrueSearch()
    await expectCaughtUp()
  })

  test('damaged only where a later search reads: the search detects it', async () => {
    for (let batch = 0; batch < 10; batch++) {
      await insert(...Array.from({ length: 300 }, () => randomBytes(60).toString('hex')))
    }
    await insert('gamma four')
    await db.searchSettled()
    await reopenAfter(() => {
      fold()
      expect(readFileSync(indexFile()).length).toBeGreaterThan(200_000)
      spoil(0.3, 0.95)
    })
    await expectTrueSearch()
    await reword('gamma four', 'delta four')
    await expectTrueSearch()
  })

  /** Everything into the one file, so that the damage meets it. */
  function fold(): void {
    const database = new DatabaseSync(indexFile())
    database.exec('pragma wal_checkpoint(truncate)')
    database.close()
    for (const ending of ['-wal', '-shm']) rmSync(indexFile() + ending, { force: true })
  }

  function spoil(from: number, to: number): void {
    const bytes = readFileSync(indexFile())
    const [start, end] = [Math.floor(bytes.length * from), Math.floor(bytes.length * to)]
    bytes.fill(0xa5, start, end)
    writeFileSync(indexFile(), bytes)
  }
})

describe('a database restored from an older copy, with the newer index', () => {
  const copy = () => join(folder, 'copy')

  /** Copies what is there now, does `later`, and puts the copy back. */
  async function restoreAfter(later: () => Promise<unknown>): Promise<void> {
    await reopenAfter(() => {
      mkdirSync(copy())
      for (const name of readdirSync(folder))
        if (/^signet\.db(-wal)?$/.test(name)) cpSync(join(folder, name), join(copy(), name))
    })
    await later()
    await db.searchSettled()
    await reopenAfter(() => {
      for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
      for (const name of readdirSync(copy())) cpSync(join(copy(), name), join(folder, name))
    })
  }

  test('later rows are forgotten, and their IDs can be reused', async () => {
    await restoreAfter(() => insert('gamma one', 'gamma two'))
    await expectTrueSearch()
    await insert('delta one', 'delta two', 'delta three')
    await expectTrueSearch()
  })

  test('also when as many new rows are added before the next search', async () => {
    await restoreAfter(() => insert('gamma one', 'gamma two'))
    await insert('delta one', 'delta two', 'delta three')
    await expectTrueSearch()
  })

  test('rows that were deleted later are found again', async () => {
    await restoreAfter(() => remove('alpha one'))
    await expectTrueSearch()
  })

  test('rows that changed later are found by their old words and not by the new ones', async () => {
    await restoreAfter(() => reword('alpha two', 'gamma two'))
    await expectTrueSearch()
  })

  test('also when other changes follow at once', async () => {
    await restoreAfter(async () => {
      await reword('alpha two', 'gamma two')
      await remove('beta three')
    })
    await reword('alpha one', 'delta four')
    await remove('beta three')
    await insert('gamma four')
    await expectTrueSearch()
  })
})

describe('an older index beside the newer database, as after a power cut', () => {
  const copy = () => join(folder, 'copy')

  /** Copies the index, does `later` until the queue of changes is empty, and puts the older index back. */
  async function loseIndexed(later: () => Promise<unknown>): Promise<void> {
    await reopenAfter(() => {
      mkdirSync(copy())
      for (const name of indexFiles(folder)) cpSync(join(folder, name), join(copy(), name))
    })
    await later()
    await db.searchSettled()
    await reopenAfter(() => {
      for (const name of indexFiles(folder)) rmSync(join(folder, name))
      for (const name of indexFiles(copy())) cpSync(join(copy(), name), join(folder, name))
    })
  }
  const indexFiles = (of: string) => readdirSync(of).filter((name) => name.startsWith('signet.db-search'))

  test('rows that were reworded or deleted since are found as they are now', async () => {
    await loseIndexed(async () => {
      await reword('alpha two', 'gamma two')
      await remove('beta three')
    })
    await expectTrueSearch()
    await expectCaughtUp()
  })

  test('also when other changes wait in the queue', async () => {
    await loseIndexed(() => reword('alpha two', 'gamma two'))
    await reword('alpha one', 'delta four')
    await insert('alpha four')
    await expectTrueSearch()
    await expectCaughtUp()
  })

  test('an index built anew is not built again at the next start', async () => {
    await reword('alpha two', 'gamma two')
    await db.searchSettled()
    await reopenAfter(() => rmSync(indexFile()))
    await db.searchSettled()
    await db.close()
    const connection = new SqliteConnection(file)
    const options = { searchFile: indexFile(), sources: [licensesSearch], issued: issuedNumbers(connection) }
    expect(new TrigramIndex(connection, options).isCaughtUp(appId)).toBe(true)
    connection.close()
    db = await open()
  })
})

describe('keeping up', () => {
  test('a second handle on the same file finds what the first has committed', async () => {
    const other = await open()
    await insert('delta shared')
    const { query } = await other.searched(licensesSearch, { appId, text: 'delta' })
    const rows = await query.select('notes').execute()
    expect(rows).toEqual([{ notes: 'delta shared' }])
    await other.close()
  })

  test('the queue of changes is emptied once they are indexed', async () => {
    await reword('alpha one', 'gamma one')
    await remove('beta three')
    await db.searchSettled()
    const left = await db.read
      .selectFrom('search_changes' as 'setup_tokens')
      .selectAll()
      .execute()
    expect(left).toEqual([])
    await expectTrueSearch()
  })

  test('the only row of an app, deleted before the index was built anew, is found again once it is restored', async () => {
    const { id, license } = await db.read
      .selectFrom('licenses')
      .select(['id', 'license'])
      .where('notes', '=', 'alpha one')
      .executeTakeFirstOrThrow()
    await insertForeign()
    await db.write((tx) => tx.db.deleteFrom('licenses').where('app_id', '=', appId).execute())
    await reopenAfter(() => rmSync(indexFile()))
    await db.searchSettled()
    await db.write(async ({ db: trx }) => {
      const row = { level: 1, duration_seconds: 0, notes: 'alpha one', created_at: 1, ...none }
      await trx
        .insertInto('licenses')
        .values({ id, app_id: appId, license, ...row })
        .execute()
      await reindexRows(trx, 'licenses', appId, [id])
    })
    for (let settled = 0; settled < 2; settled++) {
      expect(await found('alpha')).toEqual(['alpha one'])
      await db.searchSettled()
    }
  })
})

test('the index returns only hits of the searched app, so its timing reveals nothing about others', async () => {
  await insertForeign()
  await db.searchSettled()
  const hits = (of: string) =>
    sql`select rowid from search.licenses_index where licenses_index match ${matchOfApp(of, 'alpha')}`.execute(
      db.reports,
    )
  expect((await hits(appId)).rows.length).toBe(2)
  expect((await hits(other)).rows.length).toBe(1)
  expect((await hits('app_without_rows')).rows).toEqual([])
})

test('two threads that start at once on a new database share one index', async () => {
  const searchFile = join(folder, 'new-search')
  const options = { searchFile, sources: [licensesSearch], issued: {} }
  const other = new SqliteConnection(file)
  const statements: string[] = []
  let second: TrigramIndex | undefined
  const connection = new SqliteConnection(file, {
    onStatement: (text) => {
      if (!text.includes('search.')) return
      statements.push(text)
      // Between the first two reads.
      if (statements.length === 2) second = new TrigramIndex(other, options)
    },
  })
  const first = new TrigramIndex(connection, options)
  second?.catchUp()
  expect([second?.isCaughtUp(appId), first.isCaughtUp(appId)]).toEqual([true, true])
  connection.close()
  other.close()
})

test('a full disk is reported as one, and the index catches up once there is space', async () => {
  await insert(...Array.from({ length: 500 }, () => randomBytes(200).toString('hex')))
  const connection = new SqliteConnection(file)
  const index = new TrigramIndex(connection, {
    searchFile: join(folder, 'full'),
    sources: [licensesSearch],
    issued: {},
  })
  const pages = (most: number) => connection.run(`pragma search.max_page_count = ${most}`, [])
  pages(1)
  expect(() => index.catchUp()).toThrow('database or disk is full')
  pages(1_000_000)
  index.catchUp()
  expect(index.isCaughtUp(appId)).toBe(true)
  connection.close()
})
