import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { recordBackup } from '#server/status/backups.ts'
import { recordCheck } from '#server/status/platform-checks.ts'
import { fillDisk } from '#testing/faults/sqlite-faults.ts'
import { newAdmin, type Owner } from '#testing/people/people.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { checkIntegrity } from './check-integrity.ts'

/** /readyz, the metrics and the status page report the state of the storage. */

const metricsToken = 'a-token-of-this-test-alone'
const folder = mkdtempSync(join(tmpdir(), 'signet-storage-'))
const file = join(folder, 'signet.db')
let app: TestApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp({ sqlite: { file }, config: { metricsToken } })
  admin = await newAdmin(app)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
// The status is cached for 30 seconds.
beforeEach(() => app.advance(31))

const readiness = async () => {
  const response = await fetch(`${app.url}/readyz`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const metric = async (series: string) => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${app.url}/metrics`, { headers })).text()
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line && Number(line.slice(series.length + 1))
}
const health = async () => (await admin.visitor.call('GET /admin/health')).body
const partOf = async (name: 'storage' | 'database') => (await health()).parts.find(({ part }) => part === name)
const publicPart = async () =>
  (await admin.visitor.call('GET /status')).body.parts.find(({ part }) => part === 'storage') as object | undefined

const write = (token: string, text = '') =>
  app.db.write(({ db }) =>
    db
      .insertInto('setup_tokens')
      .values({ token_hash: token + text, expires_at: 0 })
      .execute(),
  )
let writes = 0
/** Fills the disk and returns a function to free the space. */
async function withFullDisk(): Promise<() => Promise<void>> {
  if (testEngine === 'sqlite') return fillDisk(app.db, 0)
  await app.db.write(async ({ db }) => {
    await sql`create function reject_write() returns trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`.execute(db)
    await sql`create trigger full_disk before insert on setup_tokens execute function reject_write()`.execute(db)
  })
  return () => app.db.write(async ({ db }) => void (await sql`drop function reject_write cascade`.execute(db)))
}

test("detects a full disk: not ready until a write succeeds, which a check of the data isn't", async () => {
  const makeRoom = await withFullDisk()
  const large = 'x'.repeat(100_000)
  // Small writes by the server itself may still fit.
  const failsToWrite = async () => {
    await expect(write(`token ${writes++}`, testEngine === 'sqlite' ? large : '')).rejects.toThrow(/full|no space/)
    await app.db.write(({ db }) => db.selectFrom('accounts').select('id').execute())
    return (await readiness()).status === 503
  }
  try {
    await vi.waitUntil(failsToWrite, { timeout: 30_000 })
    expect((await readiness()).body).toEqual({ status: 'the disk is full' })
    await vi.waitUntil(async () => (await failsToWrite()) && (await metric('signet_database_writable')) === 0, 30_000)
    await vi.waitUntil(async () => {
      app.advance(31)
      return (await failsToWrite()) && (await partOf('database'))?.state === 'degraded'
    }, 30_000)
  } finally {
    await makeRoom()
  }
  await write(`token ${writes++}`)
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } })
  expect(await metric('signet_database_writable')).toBe(1)
})

test('detects low disk space before the disk is full', async () => {
  expect(await partOf('storage')).toEqual({ part: 'storage', state: 'ok' })
  const free = Number(await metric('signet_disk_free_bytes'))
  expect(free).toBeGreaterThan(0)
  expect(await metric('signet_disk_bytes')).toBeGreaterThan(free)
  expect(await metric('signet_database_bytes')).toBeGreaterThan(100_000)
  const { config } = app.services
  config.diskLowBytes = 1e18
  app.advance(31)
  expect(await partOf('storage')).toEqual({ part: 'storage', state: 'degraded', problem: 'DISK_LOW' })
  expect(Object.keys((await publicPart()) ?? {})).toEqual(['part', 'state', 'days'])
  expect(await readiness()).toEqual({ status: 200, body: { status: 'ready' } })
  config.diskLowBytes = 0
})

test('detects a missing or changed key file before the next start needs it', async () => {
  const { masterKeyFile } = app.services.config
  expect(await metric('signet_master_key_file_ok')).toBe(1)
  renameSync(masterKeyFile, `${masterKeyFile}.away`)
  expect(await metric('signet_master_key_file_ok')).toBe(0)
  app.advance(31)
  expect(await partOf('storage')).toMatchObject({ state: 'degraded', problem: 'KEY_FILE' })
  writeFileSync(masterKeyFile, Buffer.alloc(32, 7).toString('base64url'))
  expect(await metric('signet_master_key_file_ok')).toBe(0)
  renameSync(`${masterKeyFile}.away`, masterKeyFile)
  expect(await metric('signet_master_key_file_ok')).toBe(1)
})

test('reports the running version and the last backup as metrics', async () => {
  const { engine } = app.db
  const labels = `version="${manifest.version}",commit="",node="${process.versions.node}",engine="${engine}"`
  expect(await metric(`signet_build_info{${labels}}`)).toBe(1)
  expect(await metric('signet_last_backup_timestamp_seconds')).toBeUndefined()
  const takenAt = app.now() - 60
  await app.db.write((tx) => recordBackup(tx, { takenAt, bytes: 1 }))
  expect(await metric('signet_last_backup_timestamp_seconds')).toBe(takenAt)
})

test('damage that a full check has found stays reported, in all processes and after a restart', async () => {
  // By another process.
  await app.db.write((tx) => recordCheck(tx, { name: 'integrity', checkedAt: app.now(), problems: 2 }))
  expect((await readiness()).body).toEqual({ status: 'ready', integrity: 'damaged: the log says what' })
  await checkIntegrity(app.services, 'quick')
  expect(await metric('signet_check_problems{check="integrity"}')).toBe(2)
  expect((await readiness()).body['integrity']).toBeDefined()
  await checkIntegrity(app.services, 'full')
  expect(await metric('signet_check_problems{check="integrity"}')).toBe(0)
  expect((await readiness()).body).toEqual({ status: 'ready' })
})

/** Overwrites an index page as a failing disk would; on PostgreSQL, amcheck detects it. */
async function damage(): Promise<void> {
  if (testEngine === 'postgres') {
    await app.db.write(async ({ db }) => {
      await sql`create function bt_index_check(index regclass) returns void language plpgsql as
        $$ begin if index = 'resellers_list'::regclass then
          raise exception 'item order invariant violated' using errcode = 'XX002'; end if; end $$`.execute(db)
    })
    return
  }
  const other = new DatabaseSync(file)
  const page = other.prepare("select rootpage from sqlite_schema where name = 'resellers_list'").get()?.['rootpage']
  other.exec('pragma wal_checkpoint(full)')
  other.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, (Number(page) - 1) * 4096)
  closeSync(descriptor)
}

test('finds damaged data soon after a start and every night, and reports it to administrators', async () => {
  await checkIntegrity(app.services, 'quick')
  await checkIntegrity(app.services, 'full')
  expect(await metric('signet_check_problems{check="integrity"}')).toBe(0)
  await damage()
  await checkIntegrity(app.services, testEngine === 'sqlite' ? 'quick' : 'full')
  const found = await metric('signet_check_problems{check="integrity"}')
  expect(found).toBeGreaterThan(0)
  expect(await readiness()).toEqual({
    status: 200,
    body: { status: 'ready', integrity: 'damaged: the log says what' },
  })
  app.advance(31)
  expect(await partOf('storage')).toMatchObject({ state: 'down', problem: 'DATA_DAMAGED' })
  expect((await health()).state).toBe('down')
  // The nightly job finds it too.
  await app.db.write(({ db }) => db.deleteFrom('platform_checks').where('name', '=', 'integrity').execute())
  app.advance(86_400)
  await app.jobsDone()
  expect(await metric('signet_check_problems{check="integrity"}')).toBeGreaterThan(0)
}, 60_000)
