import { randomBytes } from 'node:crypto'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#database/open-database.ts'
import { claimDatabaseFile } from '#database/sqlite/file-lock.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { openSqliteSnapshot } from '#database/copy/sqlite-copy.ts'
import { AuditSealer } from '#features/audit/audit-chain.ts'
import { verifyRecordedAudit } from '#features/audit/verify-audit.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { databaseRows } from '#testing/database-digest.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { runTool } from '#testing/run-tool.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

/** A module that a command loads first: its process ends right before the nth change of names with this part. */
const killedAtChange = (nth: number, part = '') =>
  `--import=data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let changes = 0
    const killAt = (object, name) => {
      const change = object[name]
      object[name] = function (...given) {
        if (given.join().includes('${part}') && ++changes === ${nth}) process.kill(process.pid, 'SIGKILL')
        return change.apply(this, given)
      }
    }
    for (const name of ['rename', 'link', 'rm']) {
      killAt(fs.promises, name)
      killAt(fs, name + 'Sync')
    }
    syncBuiltinESMExports()`)}`

/** Another file system than that of the temporary folder. */
const otherDisk = '/dev/shm'

const filesIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.includes('/'))

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
  let newerFile: string

  beforeAll(async () => {
    app = await startTestApp({ masterKey })
    await readInstallation(app.db)
    const owner = await newOwnerWithApp(app)
    await newLicenses(owner, 3)
    await owner.visitor.call('POST /downloads/upload', { body: { name: 'file' }, file: new Blob(['bytes']) })
    await app.jobsDone()
    file = await sealedBackup()
    app.advance(60)
    await newLicenses(owner, 3)
    newerFile = await sealedBackup()
    mkdirSync(previous)
    writeFileSync(join(previous, 'master.key'), masterSecret.toString('base64url'))
  })
  afterAll(async () => {
    await app.close()
    rmSync(scratch, { recursive: true, force: true })
  })

  async function sealedBackup(): Promise<string> {
    await new AuditSealer(app.services).seal()
    const location = { dataDir: app.services.config.dataDir, databaseUrl: undefined }
    return (await makeBackup({ location, masterKey, masterKeyFile, key, folder: scratch, now: app.now() })).file
  }

  const restore = (dataDir: string, more: object = {}, from = file) =>
    runTool('restore', [from, '--replace'], { environment: { DATA_DIR: dataDir, ...more } })

  /** A copy of a database with a write-ahead log, whose header is overwritten. */
  async function damage(dataDir: string, copy: string): Promise<void> {
    const connection = new SqliteConnection(join(dataDir, 'signet.db'))
    connection.database.exec("update licenses set notes = 'only in the log'")
    cpSync(dataDir, copy, { recursive: true })
    connection.close()
    const handle = openSync(join(copy, 'signet.db'), 'r+')
    writeSync(handle, Buffer.alloc(100), 0, 100, 0)
    closeSync(handle)
    rmSync(join(copy, 'signet.db-shm'))
  }

  async function auditProblem(dataDir: string) {
    const db = await openDatabase({ dataDir, sources: [] })
    const config = { ...app.services.config, dataDir, masterKeyFile: join(dataDir, 'master.key') }
    const { problem } = await verifyRecordedAudit({ db, masterKey, config })
    await db.close()
    return problem
  }

  async function contentOf(dataDir: string): Promise<Map<string, string[]>> {
    const db = await openDatabase({ dataDir, sources: [] })
    const rows = await databaseRows(db)
    await db.close()
    return rows
  }

  test('that is killed between any two steps leaves the data of before or of the backup, and a second one completes it', async () => {
    expect(await restore(previous)).toMatchObject({ code: 0 })
    const restored = await contentOf(previous)
    expect(await restore(previous, {}, newerFile)).toMatchObject({ code: 0 })
    const before = await contentOf(previous)
    const found: string[] = []
    for (let nth = 1; ; nth += 1) {
      const dataDir = join(scratch, `killed-${nth}`)
      cpSync(previous, dataDir, { recursive: true })
      const { code } = await restore(dataDir, { NODE_OPTIONS: killedAtChange(nth) })
      if (code === 0) break
      const content = await contentOf(dataDir)
      found.push(isDeepStrictEqual(content, restored) ? 'backup' : 'before')
      if (found.at(-1) === 'before') expect(content).toEqual(before)
      expect(await auditProblem(dataDir)).toBeUndefined()
      await restoreBackup({ ...options, file, location: { dataDir, databaseUrl: undefined } })
      expect(await contentOf(dataDir)).toEqual(restored)
      expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-'))).toEqual([])
    }
    expect(found.length).toBeGreaterThan(5)
    expect(new Set(found)).toEqual(new Set(['before', 'backup']))
  })

  test('of a damaged database that is killed between any two steps leaves all of its files, or the data of the backup', async () => {
    mkdirSync(join(scratch, 'damaged'))
    writeFileSync(join(scratch, 'damaged', 'master.key'), masterSecret.toString('base64url'))
    expect(await restore(join(scratch, 'damaged'))).toMatchObject({ code: 0 })
    const restored = await contentOf(join(scratch, 'damaged'))
    const damaged = join(scratch, 'damaged-before')
    await damage(join(scratch, 'damaged'), damaged)
    const bytesOf = (dataDir: string) =>
      ['signet.db', 'signet.db-wal'].map((name) => readFileSync(join(dataDir, name)).toString('base64'))
    const found: string[] = []
    for (let nth = 1; ; nth += 1) {
      const dataDir = join(scratch, `damaged-${nth}`)
      cpSync(damaged, dataDir, { recursive: true })
      const { code } = await restore(dataDir, { NODE_OPTIONS: killedAtChange(nth, 'signet.db') })
      const copies = () => readdirSync(dataDir).filter((name) => /before-\d+(-\d+)?$/.test(name))
      if (code === 0) {
        const [copy = ''] = copies()
        expect(['', '-wal'].map((end) => readFileSync(join(dataDir, copy + end)).toString('base64'))).toEqual(
          bytesOf(damaged),
        )
        break
      }
      const file = join(dataDir, 'signet.db')
      const isWithoutLog =
        copies().some((name) => existsSync(join(dataDir, `${name}-wal`))) && !existsSync(`${file}-wal`)
      const isOld = readFileSync(file).equals(readFileSync(join(damaged, 'signet.db')))
      if (isOld && isWithoutLog) {
        await expect(openDatabase({ dataDir, sources: [], shared: true })).rejects.toThrow('interrupted')
        expect(() => openSqliteSnapshot(file)).toThrow('interrupted')
      }
      // As a start does first.
      claimDatabaseFile(file)()
      if (isOld) expect([bytesOf(dataDir), copies()]).toEqual([bytesOf(damaged), []])
      else expect(await contentOf(dataDir)).toEqual(restored)
      found.push(isOld ? (isWithoutLog ? 'without its log' : 'before') : 'backup')
    }
    expect(new Set(found)).toEqual(new Set(['before', 'without its log', 'backup']))
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

  test('leaves alone what only has a name like a leftover of a killed one, even the backup itself', async () => {
    const dataDir = join(scratch, 'named')
    for (const name of ['restore-AbC123/files', 'restore-backup']) mkdirSync(join(dataDir, name), { recursive: true })
    writeFileSync(join(dataDir, 'restore-backup/mine.txt'), '')
    const backup = join(dataDir, 'restore-me.backup')
    cpSync(file, backup)
    await restoreBackup({ ...options, file: backup, location: { dataDir, databaseUrl: undefined } })
    const kept = readdirSync(dataDir).filter((name) => name.startsWith('restore-'))
    expect(kept).toEqual(['restore-backup', 'restore-me.backup'])
  })

  test.runIf(existsSync(otherDisk))('puts files into a folder on another disk', async () => {
    const dataDir = join(scratch, 'two-disks')
    const folder = mkdtempSync(join(otherDisk, 'signet-files-'))
    try {
      mkdirSync(dataDir)
      symlinkSync(folder, join(dataDir, 'files'))
      await restoreBackup({ ...options, file, location: { dataDir, databaseUrl: undefined } })
      const [name = ''] = filesIn(folder)
      expect(readFileSync(join(folder, name), 'utf8')).toBe('bytes')
      expect(filesIn(folder)).toEqual(filesIn(join(app.services.config.dataDir, 'files')))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
