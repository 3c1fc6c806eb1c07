import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '#database/sqlite/open-sqlite.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { databaseRows } from '#testing/database-digest.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { runTool } from '#testing/run-tool.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

/** A module that a command loads first: its process ends right before the nth change of names in the file system. */
const killedAtChange = (nth: number) =>
  `--import=data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let changes = 0
    for (const name of ['rename', 'link', 'rm']) {
      const change = fs.promises[name]
      fs.promises[name] = (...given) => {
        if (++changes === ${nth}) process.kill(process.pid, 'SIGKILL')
        return change(...given)
      }
    }
    syncBuiltinESMExports()`)}`

// On PostgreSQL, a restore is one transaction.
describe.runIf(testEngine === 'sqlite')('a restore', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'signet-killed-restore-'))
  const masterSecret = randomBytes(32)
  const previous = join(scratch, 'previous')
  const masterKey = new MasterKey(masterSecret)
  const masterKeyFile = join(scratch, 'master.key')
  const key = { kind: 'key' as const, key: masterKey.derive('backups') }
  const options = { masterKey, masterKeyFile, key, replaces: true, now: 1_790_000_000 }
  let app: TestApp
  let file: string

  beforeAll(async () => {
    app = await startTestApp({ masterKey })
    await readInstallation(app.db)
    const owner = await newOwnerWithApp(app)
    await newLicenses(owner, 3)
    await owner.visitor.call('POST /downloads/upload', { body: { name: 'file' }, file: new Blob(['bytes']) })
    await app.jobsDone()
    file = (
      await makeBackup({
        location: { dataDir: app.services.config.dataDir, databaseUrl: undefined },
        masterKey,
        masterKeyFile,
        key,
        folder: scratch,
        now: app.now(),
      })
    ).file
    mkdirSync(previous)
    writeFileSync(join(previous, 'master.key'), masterSecret.toString('base64url'))
  })
  afterAll(async () => {
    await app.close()
    rmSync(scratch, { recursive: true, force: true })
  })

  const restore = (dataDir: string, more: object = {}) =>
    runTool('restore', [file, '--replace'], { environment: { DATA_DIR: dataDir, ...more } })

  async function contentOf(dataDir: string, notes?: string): Promise<Map<string, string[]>> {
    const db = await openSqlite({ file: join(dataDir, 'signet.db'), sources: [], durable: false })
    if (notes) await db.write(({ db: trx }) => trx.updateTable('licenses').set({ notes }).execute())
    const rows = await databaseRows(db)
    await db.close()
    return rows
  }

  test('that is killed between any two steps leaves the data of before or of the backup, and a second one completes it', async () => {
    expect((await restore(previous)).code).toBe(0)
    const restored = await contentOf(previous)
    const before = await contentOf(previous, 'since the backup')
    const found: string[] = []
    for (let nth = 1; ; nth += 1) {
      const dataDir = join(scratch, `killed-${nth}`)
      cpSync(previous, dataDir, { recursive: true })
      const { code } = await restore(dataDir, { NODE_OPTIONS: killedAtChange(nth) })
      if (code === 0) break
      const content = await contentOf(dataDir)
      found.push(isDeepStrictEqual(content, restored) ? 'backup' : 'before')
      if (found.at(-1) === 'before') expect(content).toEqual(before)
      await restoreBackup({ ...options, file, location: { dataDir, databaseUrl: undefined } })
      expect(await contentOf(dataDir)).toEqual(restored)
      expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-'))).toEqual([])
    }
    expect(found.length).toBeGreaterThan(5)
    expect(new Set(found)).toEqual(new Set(['before', 'backup']))
  })

  test('in the second of another one keeps both databases of before', async () => {
    const dataDir = join(scratch, 'twice')
    const location = { dataDir, databaseUrl: undefined }
    await restoreBackup({ ...options, file, location })
    const again = async () => (await restoreBackup({ ...options, file, location })).before
    const before = [await again(), await again()]
    expect(new Set(before).size).toBe(2)
    expect(before.every((file) => file !== undefined && existsSync(file))).toBe(true)
  })
})
