import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInstallation } from '#server/secrets/installation.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { type DataLocation, makeBackup } from './make-backup.ts'
import type { SealKey } from './sealed-file.ts'

/** Which backups a folder keeps. */

let app: TestApp
let location: DataLocation
let key: SealKey
const masterKey = new MasterKey(randomBytes(32))
const now = 1_790_000_000
const scratch = mkdtempSync(join(tmpdir(), 'signet-backup-'))

const newFolder = (): string => mkdtempSync(join(scratch, 'folder-'))

const back = (options: Pick<Parameters<typeof makeBackup>[0], 'folder'> & { retained?: number; now?: number }) =>
  makeBackup({ location, masterKey, masterKeyFile: join(scratch, 'master.key'), key, now, ...options })

beforeAll(async () => {
  const url = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  app = await startTestApp({ masterKey, ...(url && { postgres: { url } }) })
  key = { kind: 'key', key: masterKey.derive('backups') }
  location = { dataDir: app.services.config.dataDir, databaseUrl: url }
  await readInstallation(app.db)
})
afterAll(async () => {
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
})

const timeOf = (at: number): string => new Date(at * 1000).toISOString().slice(11, 19).replaceAll(':', '-')

test('keeps the newest backups, as many as wanted, and leaves other files in the folder alone', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'mine.txt'), '')
  for (let n = 0; n < 4; n++) await back({ folder, retained: 2, now: now + n * 100 })
  expect(readdirSync(folder)).toEqual([
    'mine.txt',
    `signet-2026-09-21T${timeOf(now + 200)}Z.backup`,
    `signet-2026-09-21T${timeOf(now + 300)}Z.backup`,
  ])
})

test('made after the clock was set back is kept, although the others seem to be newer', async () => {
  const folder = newFolder()
  for (const at of [now, now + 100]) await back({ folder, now: at })
  const { file } = await back({ folder, retained: 2, now: now - 86_400 })
  expect(readdirSync(folder)).toEqual([basename(file), `signet-2026-09-21T${timeOf(now + 100)}Z.backup`])
})

test('of a clock that was ahead takes the place of no later one', async () => {
  const folder = newFolder()
  await back({ folder, now: now + 31 * 86_400 })
  for (let n = 0; n < 3; n++) await back({ folder, retained: 2, now: now + n * 100 })
  expect(readdirSync(folder)).toEqual([
    `signet-2026-09-21T${timeOf(now + 100)}Z.backup`,
    `signet-2026-09-21T${timeOf(now + 200)}Z.backup`,
  ])
})

test('removes what a killed backup has left, but not what another one is writing', async () => {
  const folder = newFolder()
  const partial = (day: number) => join(folder, `signet-2026-09-${day}T03-00-00Z.backup.part`)
  for (const [day, writtenAt] of [
    [19, now - 90_000],
    [20, now - 60],
  ] as const) {
    writeFileSync(partial(day), '')
    utimesSync(partial(day), writtenAt, writtenAt)
  }
  await back({ folder })
  expect([existsSync(partial(19)), existsSync(partial(20))]).toEqual([false, true])
})
