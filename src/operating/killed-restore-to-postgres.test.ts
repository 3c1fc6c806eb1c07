import { randomBytes } from 'node:crypto'
import fs, { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#database/open-database.ts'
import { AuditSealer } from '#features/audit/audit-chain.ts'
import { verifyRecordedAudit } from '#features/audit/verify-audit.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { databaseRows } from '#testing/database-digest.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { runTool } from '#testing/run-tool.ts'
import { copyOfPostgres, freshPostgresUrl, migratedPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

/** A module that a command loads first: the answer to its commit is lost with the connection. */
const withoutReplyToCommit = `--import=data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module'
  const { Client } = createRequire('${join(import.meta.dirname, 'restore-backup.ts')}')('pg')
  const { query } = Client.prototype
  Client.prototype.query = async function (...given) {
    const result = await query.apply(this, given)
    if (given[0] !== 'commit') return result
    this.connection.stream.destroy()
    throw new Error('Connection terminated unexpectedly')
  }`)}`

/** A module that a command loads first: its process ends right before a statement that starts so, or a `file`. */
const killedAt = (start: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs'
    import { createRequire, syncBuiltinESMExports } from 'node:module'
    const { Client } = createRequire('${join(import.meta.dirname, 'restore-backup.ts')}')('pg')
    const killAt = (object, name, textOf) => {
      const change = object[name]
      object[name] = function (...given) {
        if (textOf(given).startsWith('${start}')) process.kill(process.pid, 'SIGKILL')
        return change.apply(this, given)
      }
    }
    killAt(Client.prototype, 'query', ([query]) => String(query?.text ?? query).trim())
    killAt(fs.promises, 'rename', ([from]) => (from.includes('/files/') ? 'file' : 'another rename'))
    syncBuiltinESMExports()`)}`

describe.runIf(testEngine === 'postgres')('a restore to PostgreSQL', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'signet-killed-restore-'))
  const previous = join(scratch, 'previous')
  const masterSecret = randomBytes(32)
  const masterKey = new MasterKey(masterSecret)
  const key = { kind: 'key' as const, key: masterKey.derive('backups') }
  let app: TestApp
  let backups: { older: string; newer: string }
  let sourceUrl: string
  let previousUrl: string

  beforeAll(async () => {
    mkdirSync(previous)
    writeFileSync(join(previous, 'master.key'), masterSecret.toString('base64url'))
    sourceUrl = await migratedPostgresUrl()
    app = await startTestApp({ masterKey, postgres: { url: sourceUrl } })
    await readInstallation(app.db)
    const owner = await newOwnerWithApp(app)
    await newLicenses(owner, 3)
    await owner.visitor.call('POST /downloads/upload', { body: { name: 'file' }, file: new Blob(['bytes']) })
    await app.jobsDone()
    const older = await backup()
    app.advance(60)
    await newLicenses(owner, 3)
    backups = { older, newer: await backup() }
    previousUrl = await freshPostgresUrl()
    const { code, output } = await restore(backups.newer, previous, previousUrl)
    if (code !== 0) throw new Error(output)
  })
  afterAll(async () => {
    await app.close()
    rmSync(scratch, { recursive: true, force: true })
  })

  async function backup(): Promise<string> {
    await new AuditSealer(app.services).seal()
    const { dataDir } = app.services.config
    const masterKeyFile = join(previous, 'master.key')
    const location = { databaseUrl: sourceUrl, dataDir }
    return (await makeBackup({ location, masterKey, masterKeyFile, key, folder: scratch, now: app.now() })).file
  }

  const restore = (file: string, dataDir: string, databaseUrl: string, more: object = {}) =>
    runTool('restore', [file, '--replace'], { environment: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...more } })

  /** As a server finds it at its next start. */
  async function contentOf(dataDir: string, databaseUrl: string) {
    const db = await openDatabase({ databaseUrl, dataDir, sources: [] })
    const config = { ...app.services.config, dataDir, masterKeyFile: join(dataDir, 'master.key') }
    const { problem } = await verifyRecordedAudit({ db, masterKey, config })
    const licenses = (await databaseRows(db)).get('licenses')?.length
    await db.close()
    return { licenses, problem }
  }

  test.each([
    ['the first row', 'insert into', 6],
    ['the first file', 'file', 6],
    ['the commit', 'commit', 6],
    ['the statistics', 'analyze', 3],
  ])('that is killed right before %s leaves all of before or of the backup', async (_, start, licenses) => {
    const dataDir = join(scratch, `killed at ${start}`)
    cpSync(previous, dataDir, { recursive: true })
    const url = await copyOfPostgres(previousUrl)
    const killed = await restore(backups.older, dataDir, url, { NODE_OPTIONS: killedAt(start) })
    expect(killed.code, killed.output).toBeNull()
    expect(await contentOf(dataDir, url)).toEqual({ licenses, problem: undefined })
    expect(await restore(backups.older, dataDir, url)).toMatchObject({ code: 0 })
    expect(await contentOf(dataDir, url)).toEqual({ licenses: 3, problem: undefined })
  })

  test('whose commit is not answered says so, and the restored audit is complete', async () => {
    const dataDir = join(scratch, 'without reply')
    cpSync(previous, dataDir, { recursive: true })
    const url = await copyOfPostgres(previousUrl)
    const { code, output } = await restore(backups.older, dataDir, url, { NODE_OPTIONS: withoutReplyToCommit })
    expect(code).toBe(1)
    expect(output).toContain('PostgreSQL did not answer the commit')
    expect(await contentOf(dataDir, url)).toEqual({ licenses: 3, problem: undefined })
  })

  test('rejects another one from the same folder, and completes', async () => {
    const dataDir = join(scratch, 'at once')
    cpSync(previous, dataDir, { recursive: true })
    const [url, otherUrl] = [await copyOfPostgres(previousUrl), await freshPostgresUrl()]
    const restoreTo = (databaseUrl: string) =>
      restoreBackup({
        file: backups.older,
        location: { databaseUrl, dataDir },
        masterKey,
        masterKeyFile: join(dataDir, 'master.key'),
        key,
        replaces: true,
        now: app.now(),
      })
    const { rename } = fs.promises
    const renameWith = (each: typeof rename) => {
      fs.promises.rename = each
      syncBuiltinESMExports()
    }
    let problem: unknown
    renameWith(async (from, to) => {
      renameWith(rename)
      problem = await restoreTo(otherUrl).catch((error: unknown) => (error as Error).message)
      await rename(from, to)
    })
    await restoreTo(url).finally(() => renameWith(rename))
    expect(problem).toBe(`Another restore uses DATA_DIR ${dataDir}. Let it end first.`)
    expect(await contentOf(dataDir, url)).toEqual({ licenses: 3, problem: undefined })
  })
})
