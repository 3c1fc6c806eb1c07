import { randomBytes } from 'node:crypto'
import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readInstallation } from '#server/secrets/installation.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { makeBackup } from './make-backup.ts'
import { readBackup } from './read-backup.ts'

const scratch = mkdtempSync(join(tmpdir(), 'signet-backups-'))
const masterKey = new MasterKey(randomBytes(32))
const key = { kind: 'key' as const, key: masterKey.derive('backups') }
const now = 1_790_000_000
let app: TestApp
let databaseUrl: string | undefined
let made = 0

beforeAll(async () => {
  databaseUrl = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  app = await startTestApp({ masterKey, ...(databaseUrl !== undefined && { postgres: { url: databaseUrl } }) })
  await readInstallation(app.db)
})
afterAll(async () => {
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
})

const newFolder = (): string => {
  const folder = join(scratch, String(++made))
  mkdirSync(folder)
  return folder
}

const back = (options: Pick<Parameters<typeof makeBackup>[0], 'folder'> & { retained?: number; now?: number }) => {
  const { dataDir } = app.services.config
  const masterKeyFile = join(scratch, 'master.key')
  return makeBackup({ location: { databaseUrl, dataDir }, masterKey, masterKeyFile, key, now, ...options })
}

describe('a backup', () => {
  test('is complete although another one ends and removes it at that moment; neither removes the other unseen', async () => {
    const folder = newFolder()
    const { rename } = fs.promises
    const renameWith = (each: typeof rename) => {
      fs.promises.rename = each
      syncBuiltinESMExports()
    }
    let other = ''
    renameWith(async (from, to) => {
      await rename(from, to)
      renameWith(rename)
      // In the moment before the first one removes older backups.
      other = (await back({ folder, retained: 1, now: now + 100 })).file
    })
    const first = await back({ folder, retained: 1 }).finally(() => renameWith(rename))
    expect([first.bytes > 0, readdirSync(folder)]).toEqual([true, [basename(other)]])
  })

  test('is complete although another one renames its own file meanwhile', async () => {
    const folder = newFolder()
    // Is listed, and then isn't there.
    symlinkSync('nowhere', join(folder, 'signet-2026-09-01T03-00-00Z.backup.part'))
    const { file } = await back({ folder })
    expect(readdirSync(folder)).toContain(basename(file))
  })

  test('in the same second as others is complete beside them, at once or later, and only --keep deletes one', async () => {
    const folder = newFolder()
    const atOnce = await Promise.all([1, 2, 3].map(() => back({ folder })))
    const later = await back({ folder })
    const names = [...atOnce, later].map(({ file }) => basename(file)).toSorted()
    expect([new Set(names).size, readdirSync(folder).toSorted()]).toEqual([4, names])
    for (const { file } of [...atOnce, later]) expect((await readBackup(file, { key })).head.createdAt).toBe(now)
    const kept = await back({ folder, retained: 2 })
    expect(readdirSync(folder).toSorted()).toEqual([names.at(-1), basename(kept.file)])
  })
})
