import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsPerBatch } from '#database/copy/table-copy.ts'
import { migratePostgres } from '#database/migrate.ts'
import { openDatabase } from '#database/open-database.ts'
import { newServerIdentity, registerServer, startHeartbeats } from '#database/postgres/server-heartbeats.ts'
import { movedTable } from '#database/sqlite/moved-database.ts'
import { openSqlite } from '#database/sqlite/open-sqlite.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { databaseRows } from '#testing/database-digest.ts'
import { FlakyProxy } from '#testing/faults/flaky-proxy.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { runTool } from '#testing/run-tool.ts'
import { failedStart } from '#testing/servers/server-process.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { allowMovedDatabase, moveToPostgres } from './move-to-postgres.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-move-'))
const file = join(dataDir, 'signet.db')
/** More than a batch, so that there is a middle. */
const licenses = 5000

const openMoved = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir, sources: [] })

/** Without `databaseUrl`, of the SQLite database, which may have been moved. */
async function contentOf(databaseUrl?: string): Promise<Map<string, string[]>> {
  if (databaseUrl === undefined) await allowMovedDatabase(dataDir)
  const db = await openDatabase({ databaseUrl, dataDir, sources: [] })
  const rows = await databaseRows(db)
  await db.close()
  // PostgreSQL computes what is searched as a column; SQLite has an index beside.
  const texts = [...rows].map(([table, all]): [string, string[]] => [table, all.map(withoutSearchText).toSorted()])
  return new Map(texts.filter(([table]) => table !== 'search_changes'))
}

async function startsOnSqlite(): Promise<boolean> {
  const db = await openDatabase({ dataDir, sources: [] })
  await db.close()
  return true
}

const withoutSearchText = (row: string): string =>
  JSON.stringify(
    Object.entries(JSON.parse(row) as object)
      .filter(([column]) => column !== 'search_text')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

/** PostgreSQL is started for that half of the tests alone. */
describe.runIf(testEngine === 'postgres')('from SQLite to PostgreSQL', () => {
  beforeAll(async () => {
    const db = await openSqlite({ file, sources: [], durable: false })
    await db.write(async ({ db: trx }) => {
      const account = {
        id: 'owner',
        username: 'o',
        username_key: 'o',
        email: 'o@x',
        email_key: 'o@x',
        display_name: 'Ö "\\',
      }
      await trx
        .insertInto('accounts')
        .values({ ...account, password_hash: '', created_at: 1 } as never)
        .execute()
      const keys = { root_public_key: '', root_private_sealed: '', box_public_key: '', box_private_sealed: '' }
      const app = { id: 'ap_1', owner_id: 'owner', name: 'App', name_key: 'app', version: '1', hwid_pepper_sealed: '' }
      await trx
        .insertInto('apps')
        .values({ ...app, ...keys, created_at: 1 } as never)
        .execute()
      for (let from = 0; from < licenses; from += 500) {
        const rows = Array.from({ length: 500 }, (_, n) => {
          const license = {
            license: `KEY-${from + n}`,
            level: 1,
            duration_seconds: 86_400,
            notes: `line\n${from + n} ✓`,
          }
          return { ...license, app_id: 'ap_1', banned: n % 7 === 0 ? 1 : 0, created_at: 1_700_000_000 + n }
        })
        await trx
          .insertInto('licenses')
          .values(rows as never)
          .execute()
      }
      const audit = { at: 1, actor_type: 'owner', actor_id: 'owner', owner_id: 'owner', act: 'x', target: 'y', ip: '' }
      await trx
        .insertInto('audit')
        .values({ ...audit, request_id: 'r' } as never)
        .execute()
      await trx
        .deleteFrom('licenses')
        .where('license', '=', `KEY-${licenses - 1}`)
        .execute()
    })
    await db.close()
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  test('copies everything: rows, sequences, counts, search, and the protection of the audit', async () => {
    const url = await freshPostgresUrl()
    const moved = await moveToPostgres({ dataDir, databaseUrl: url })
    expect(moved).toMatchObject({ isResumed: false })
    expect(await contentOf(url)).toEqual(await contentOf())
    const db = await openMoved(url)
    const row = { app_id: 'ap_1', license: 'NEXT', level: 1, duration_seconds: 0, created_at: 1 }
    const next = await db.write((tx) =>
      tx.db
        .insertInto('licenses')
        .values(row as never)
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    // The last one was deleted: its number is not given out again.
    expect(Number(next.id)).toBe(licenses + 1)
    const counted = async () => {
      const query = db.read.selectFrom('license_counts').select((select) => select.fn.sum<number>('count').as('n'))
      return Number((await query.executeTakeFirst())?.n)
    }
    expect(await counted()).toBe(licenses)
    const found = await db.searched({ table: 'licenses', columns: ['license'] }, { appId: 'ap_1', text: 'key-4321' })
    expect(await found.query.select('license').execute()).toEqual([{ license: 'KEY-4321' }])
    await expect(db.write((tx) => tx.db.deleteFrom('audit').execute())).rejects.toThrow('never')
    await db.close()
  })

  /** Runs the command until it sends this. */
  async function killedMove(url: string, isLast: (chunk: Buffer) => boolean) {
    let child: ChildProcess | undefined
    const proxy = await FlakyProxy.start(url, () => (chunk) => {
      if (!isLast(chunk)) return 'forward'
      child?.kill('SIGKILL')
      return 'cut'
    })
    const through = new URL(url)
    through.port = String(proxy.port)
    const killed = await runTool('migrate-to-postgres', [], {
      environment: { DATA_DIR: dataDir, DATABASE_URL: through.toString() },
      onStart: (started) => (child = started),
    })
    await proxy.close()
    return killed
  }

  test('takes used nonces along, so that no recorded request is accepted again (R-CLI-03)', async () => {
    await allowMovedDatabase(dataDir)
    const nonce = { digest: 'planted', at: 1_790_000_000_000 }
    const before = await openDatabase({ dataDir, sources: [] })
    await before.write(({ db }) => db.insertInto('used_nonces').values(nonce).execute())
    await before.close()
    const url = await freshPostgresUrl()
    await moveToPostgres({ dataDir, databaseUrl: url })
    const db = await openMoved(url)
    expect(await db.read.selectFrom('used_nonces').selectAll().execute()).toEqual([nonce])
    await db.close()
    await allowMovedDatabase(dataDir)
  })

  test('a move killed halfway and run again ends the same; no server starts on a partial copy', async () => {
    const url = await freshPostgresUrl()
    let batches = 0
    const killed = await killedMove(url, (chunk) => chunk.includes('insert into "licenses"') && ++batches === 2)
    expect([killed.code, batches]).toEqual([null, 2])
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select count(*)::integer as n from licenses')
    await client.end()
    expect(rows).toEqual([{ n: rowsPerBatch }])
    await expect(openMoved(url)).rejects.toThrow('unfinished copy')
    expect(await startsOnSqlite()).toBe(true)

    const finished = await runTool('migrate-to-postgres', [], { environment: { DATA_DIR: dataDir, DATABASE_URL: url } })
    expect([finished.code, finished.output]).toEqual([0, expect.stringContaining('Resumed and finished')])
    expect(await contentOf(url)).toEqual(await contentOf())
  })

  test('copying starts over if the state has changed since', async () => {
    const url = await freshPostgresUrl()
    const failing = moveToPostgres({
      dataDir,
      databaseUrl: url,
      onTable: (name) => {
        if (name === 'licenses') throw new Error('killed')
      },
    })
    await expect(failing).rejects.toThrow('killed')
    const db = await openSqlite({ file, sources: [], durable: false })
    await db.write(({ db: trx }) => trx.updateTable('licenses').set({ notes: 'changed' }).where('id', '=', 1).execute())
    await db.write(({ db: trx }) => trx.insertInto('server_time').values({ id: 1, at: 1_800_000_000_000 }).execute())
    await db.close()
    expect(await moveToPostgres({ dataDir, databaseUrl: url })).toMatchObject({ isResumed: false })
    expect(await contentOf(url)).toEqual(await contentOf())
  })

  test("detects changes behind its back, and doesn't complete the copy", async () => {
    const url = await freshPostgresUrl()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const moving = moveToPostgres({
      dataDir,
      databaseUrl: url,
      onTable: () => void client.query(`update licenses set notes = 'other' where id = 7`).catch(() => {}),
    })
    await expect(moving).rejects.toThrow('licenses has')
    await client.end()
    await expect(openMoved(url)).rejects.toThrow('unfinished copy')
    expect(await startsOnSqlite()).toBe(true)
  })

  test('a moved SQLite database is used by no server and no command, until the operator goes back to it', async () => {
    const url = await freshPostgresUrl()
    const before = await contentOf()
    const environment = { DATA_DIR: dataDir }
    const back = () => runTool('migrate-to-postgres', ['--back-to-sqlite'], { environment })
    expect(await back()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^The database in .* was not moved\n$/),
    })
    expect(await moveToPostgres({ dataDir, databaseUrl: url })).not.toHaveProperty('markProblem', expect.anything())
    const { host } = new URL(url)
    const moved = new RegExp(
      `^The SQLite database in DATA_DIR was moved to PostgreSQL \\(${host}/\\w+\\) on \\d{4}-\\d\\d-\\d\\d: set ` +
        'DATABASE_URL\\. .* run npm run migrate-to-postgres -- --back-to-sqlite\n$',
    )
    const failed = await failedStart(environment)
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(moved) })
    writeFileSync(join(dataDir, 'master.key'), randomBytes(32).toString('base64url'))
    for (const tool of ['backup', 'verify-ledger', 'clean-files']) {
      expect([tool, await runTool(tool, [], { environment })]).toEqual([
        tool,
        { code: 1, output: expect.stringMatching(moved) },
      ])
    }
    await expect(moveToPostgres({ dataDir, databaseUrl: await freshPostgresUrl() })).rejects.toThrow('was moved')
    expect(await back()).toMatchObject({
      code: 0,
      output: expect.stringContaining('Start Signet without DATABASE_URL'),
    })
    expect(await startsOnSqlite()).toBe(true)
    expect(await contentOf()).toEqual(before)
  })

  test('a move whose mark fails is complete, and says so', async () => {
    const url = await freshPostgresUrl()
    const connection = new SqliteConnection(file)
    const onTable = (name: string) => {
      if (name === 'licenses') connection.run(`create view ${movedTable} as select 1`, [])
    }
    const { markProblem } = await moveToPostgres({ dataDir, databaseUrl: url, onTable })
    expect(markProblem).toContain('already exists')
    connection.run(`drop view ${movedTable}`, [])
    connection.close()
    expect(await contentOf(url)).toEqual(await contentOf())
  })

  test('a move whose connection is lost after its commit is complete', async () => {
    const url = await freshPostgresUrl()
    let cut = 0
    const proxy = await FlakyProxy.start(url, () => (chunk) => (chunk.includes('analyze') && ++cut ? 'cut' : 'forward'))
    const through = new URL(url)
    through.port = String(proxy.port)
    const moved = await moveToPostgres({ dataDir, databaseUrl: through.toString() })
    await proxy.close()
    expect([cut, moved.markProblem]).toEqual([1, undefined])
    expect(await contentOf(url)).toEqual(await contentOf())
  })

  test('a move killed after its copy was complete is finished by running it again', async () => {
    const url = await freshPostgresUrl()
    const killed = await killedMove(url, (chunk) => chunk.includes('analyze'))
    expect(killed.code).toBe(null)
    expect(await startsOnSqlite()).toBe(true)
    const again = await runTool('migrate-to-postgres', [], { environment: { DATA_DIR: dataDir, DATABASE_URL: url } })
    expect([again.code, again.output]).toEqual([0, expect.stringMatching(/^Finished: an earlier run/)])
    await expect(startsOnSqlite()).rejects.toThrow('was moved')
    expect(await contentOf(url)).toEqual(await contentOf())
    const db = await openSqlite({ file, sources: [], durable: false })
    await db.write(({ db: trx }) => trx.deleteFrom('server_time').execute())
    await db.write(({ db: trx }) => trx.insertInto('server_time').values({ id: 1, at: 1_900_000_000_000 }).execute())
    await db.close()
    await expect(moveToPostgres({ dataDir, databaseUrl: url })).rejects.toThrow('is not empty')
  })

  test("rejects a database that is in use or isn't empty, and leaves it unchanged", async () => {
    const url = await freshPostgresUrl()
    const server = await openDatabase({ dataDir, sources: [] })
    await expect(moveToPostgres({ dataDir, databaseUrl: url })).rejects.toThrow('is served by another Signet')
    await server.close()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const identity = newServerIdentity()
    await migratePostgres(pool)
    await registerServer(pool, identity)
    const heartbeats = startHeartbeats(pool, identity, { everyMs: 20 })
    const moving = moveToPostgres({ dataDir, databaseUrl: url, wait: { pollMs: 5 } })
    await expect(moving).rejects.toThrow('is served by Signet')
    await heartbeats.stop()
    await pool.end()
    const used = await openMoved(url)
    await used.write((tx) => tx.db.insertInto('setup_tokens').values({ token_hash: 'mine', expires_at: 1 }).execute())
    await used.close()
    await expect(moveToPostgres({ dataDir, databaseUrl: url })).rejects.toThrow('is not empty')
    const again = await openMoved(url)
    expect(await again.read.selectFrom('setup_tokens').select('token_hash').execute()).toEqual([{ token_hash: 'mine' }])
    await again.close()
  })
})
