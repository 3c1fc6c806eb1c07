import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#database/open-database.ts'
import type { Row } from '#database/copy/table-copy.ts'
import { migrations } from '#database/migrations/list.ts'
import { findStoredTime } from '#server/clock/stored-time.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { findProblems, integrityCheck, recordCheck } from '#server/status/platform-checks.ts'
import { fillApp } from '#testing/busy-app.ts'
import { databaseRows } from '#testing/database-digest.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { runTool } from '#testing/run-tool.ts'
import { sealedBackup } from '#testing/sealed-backup.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { archiveFormat, type ArchiveRecord } from './archive.ts'
import { type DataLocation, makeBackup } from './make-backup.ts'
import { readBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import type { SealKey } from './sealed-file.ts'

let app: TestApp
let location: DataLocation
const masterSecret = randomBytes(32)
const masterKey = new MasterKey(masterSecret)
let key: SealKey
/** A backup of everything in `app`. */
let backup: string
const now = 1_790_000_000
const scratch = mkdtempSync(join(tmpdir(), 'signet-backup-'))
const masterKeyFile = join(scratch, 'master.key')
let made = 0

const newFolder = (): string => {
  const folder = join(scratch, String(++made))
  mkdirSync(folder)
  return folder
}

/** As `<database id>/<id>`. */
const filesIn = ({ dataDir }: DataLocation): string[] =>
  (readdirSync(join(dataDir, 'files'), { recursive: true }) as string[]).filter((name) => name.includes('/'))

const newLocation = async (): Promise<DataLocation> => ({
  dataDir: newFolder(),
  databaseUrl: testEngine === 'postgres' ? await freshPostgresUrl() : undefined,
})

const open = (of: DataLocation) => openDatabase({ ...of, sources: [] })

async function contentOf(of: DataLocation): Promise<Map<string, string[]>> {
  const db = await open(of)
  const rows = await databaseRows(db)
  await db.close()
  return rows
}

const head = (migration = migrations.length) => ({
  is: 'head' as const,
  format: archiveFormat,
  createdAt: now,
  migration,
  masterKeyCheck: masterKey.checkValue,
  auditHead: { seq: 0, hash: '' },
})

const back = (options: Partial<Parameters<typeof makeBackup>[0]> = {}) =>
  makeBackup({ location, masterKey, masterKeyFile, key, folder: newFolder(), now, ...options })

const restore = (to: DataLocation, options: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({ file: backup, location: to, masterKey, masterKeyFile, key, replaces: false, now, ...options })

beforeAll(async () => {
  const url = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  app = await startTestApp({ masterKey, ...(url && { postgres: { url } }) })
  key = { kind: 'key', key: masterKey.derive('backups') }
  location = { dataDir: app.services.config.dataDir, databaseUrl: url }
  await readInstallation(app.db)
  const owner = await newOwnerWithApp(app)
  await fillApp(app, owner)
  // In the bin, where its bytes are kept.
  const upload = { body: { name: 'deleted' }, file: new Blob(['bytes']) }
  await owner.visitor.call('POST /downloads/upload', upload)
  await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: 'deleted' }, body: {} })
  const reseller = await newSellingReseller(app, {}, owner)
  await reseller.sell()
  await app.jobsDone()
  backup = (await back()).file
})
afterAll(async () => {
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
})

describe('a backup', () => {
  test('restores to the same rows in every table, and the same files (R-BAK-01)', async () => {
    const to = await newLocation()
    const { rows, files } = await restore(to)
    expect(rows).toBeGreaterThan(50)
    expect(files).toBe(2)
    // That it was made is written down after it.
    await app.db.write(({ db }) => db.deleteFrom('backups').execute())
    const content = await contentOf(to)
    expect(content).toEqual(await databaseRows(app.db))
    expect(content.get('installation')).toHaveLength(1)
    const names = filesIn(location)
    expect(filesIn(to)).toEqual(names)
    expect(names).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}\/[A-Za-z0-9]{22}$/)))
    for (const name of names) {
      const [before, after] = [location, to].map(({ dataDir }) => readFileSync(join(dataDir, 'files', name)))
      expect(after).toEqual(before)
    }
  })

  test('begins with the time of the restore, and without the damage of before', async () => {
    const day = 86_400
    const damage = { name: integrityCheck, checkedAt: now, problems: 3 }
    await app.db.write((tx) => recordCheck(tx, damage))
    const { file } = await back()
    await app.db.write(({ db }) => db.deleteFrom('platform_checks').where('name', '=', integrityCheck).execute())
    const stateAfter = async (at: number) => {
      const to = await newLocation()
      await restore(to, { file, now: at })
      const db = await open(to)
      const state = [await findStoredTime(db), await findProblems(db.read, integrityCheck)]
      await db.close()
      return state
    }
    const month = app.now() + 31 * day
    expect(await stateAfter(month)).toEqual([month * 1000, 0])
    // The clock of the restore may be behind.
    const [stored] = await stateAfter(app.now() - day)
    expect(stored).toBeGreaterThanOrEqual((app.now() - day + 1) * 1000)
  })

  test('leaves out used nonces, which count for minutes', async () => {
    const nonce = { digest: 'planted', at: app.now() * 1000 }
    await app.db.write(({ db }) => db.insertInto('used_nonces').values(nonce).execute())
    const { file } = await back()
    const tables: string[] = []
    await readBackup(file, { key, receiver: { table: async (name) => void tables.push(name) } })
    expect(tables).toContain('apps')
    expect(tables).not.toContain('used_nonces')
  })

  test('reuses no row number, keeps its counts, and protects its audit as before', async () => {
    const to = await newLocation()
    const { id: appId } = await app.db.read.selectFrom('apps').select('id').executeTakeFirstOrThrow()
    const emptyLog = { ...plantedLog, app_id: appId }
    await app.db.write(({ db }) => db.insertInto('logs').values(emptyLog).execute())
    await app.db.write(({ db }) => db.deleteFrom('logs').where('call', '=', 'planted').execute())
    const { file } = await back()
    await restore(to, { file })
    const db = await open(to)
    const highest = async (of: typeof db) => {
      const row = { ...emptyLog, call: 'next' }
      const { id } = await of.write((tx) =>
        tx.db.insertInto('logs').values(row).returning('id').executeTakeFirstOrThrow(),
      )
      return Number(id)
    }
    expect(await highest(db)).toBe(await highest(app.db))
    await expect(db.write((tx) => tx.db.deleteFrom('audit').execute())).rejects.toThrow('never')
    const counts = () =>
      db.read
        .selectFrom('license_counts')
        .select((s) => s.fn.sum<number>('count').as('n'))
        .executeTakeFirst()
    const before = Number((await counts())?.n)
    await db.write((tx) => tx.db.deleteFrom('licenses').where('used', '=', 0).execute())
    expect(Number((await counts())?.n)).toBeLessThan(before)
    await db.close()
  })

  test('reveals nothing on its own: no key, name, or license can be read in it', async () => {
    const bytes = readFileSync(backup)
    const { license } = await app.db.read.selectFrom('licenses').select('license').executeTakeFirstOrThrow()
    const { username } = await app.db.read.selectFrom('accounts').select('username').executeTakeFirstOrThrow()
    for (const text of [license, username, 'licenses', masterKey.derive('backups')])
      expect(bytes.includes(text)).toBe(false)
  })

  test("doesn't contain the master key, even for somebody who can open it", async () => {
    const texts: string[] = []
    await readBackup(backup, {
      key,
      receiver: {
        rows: async (rows) => void texts.push(JSON.stringify(rows)),
        head: async (head) => void texts.push(JSON.stringify(head)),
      },
    })
    expect(texts.join('')).toContain(masterKey.checkValue)
    expect(texts.join('')).not.toContain(masterSecret.toString('base64url'))
  })

  test('made with a passphrase is opened with it', async () => {
    const passphrase = { kind: 'passphrase', passphrase: 'correct horse battery' } as const
    const { file } = await back({ key: passphrase })
    await expect(readBackup(file, { key })).rejects.toThrow('sealed with a passphrase')
    expect((await readBackup(file, { key: passphrase })).head.migration).toBe(migrations.length)
  })

  test('reads long rows in small batches, because a text of JSON has at most 512 MB', async () => {
    const { id: app_id } = await app.db.read.selectFrom('apps').select('id').executeTakeFirstOrThrow()
    const operation = { id: 'long', app_id, act: 'license.ban' as const, created_at: 1, keep_until: null }
    await app.db.write(({ db }) => db.insertInto('undo_operations').values(operation).execute())
    for (let number = 0; number < 400; number++) {
      const batch = { operation_id: 'long', number, states: 'x'.repeat(number < 40 ? 1 : 100_000) }
      await app.db.write(({ db }) => db.insertInto('undo_batches').values(batch).execute())
    }
    const { file } = await back()
    const lengths: number[] = []
    const rows = async (read: readonly Row[]) => void lengths.push(JSON.stringify(read).length)
    await readBackup(file, { key, receiver: { rows } })
    expect(Math.max(...lengths)).toBeLessThan(20_000_000)
    await app.db.write(({ db }) => db.deleteFrom('undo_operations').where('id', '=', 'long').execute())
  })

  test('names a file that is missing or changed on disk; a file deleted meanwhile is left out with its row', async () => {
    const [name = ''] = filesIn(location)
    const path = join(location.dataDir, 'files', name)
    const bytes = readFileSync(path)
    rmSync(path)
    expect((await back()).warnings).toEqual([`The file ${basename(name)} is missing on the disk.`])
    writeFileSync(path, 'changed')
    expect((await back()).warnings).toEqual([`The file ${basename(name)} was changed on the disk.`])
    writeFileSync(path, bytes)
    expect((await back()).warnings).toEqual([])
  })
})

const plantedLog = {
  at: 1,
  call: 'planted',
  code: '',
  message: '',
  username: '',
  license: '',
  hwid_hash: '',
  machine_hash: '',
  ip: '',
  country: '',
  session: '',
}

describe('a rejected restore leaves everything unchanged', () => {
  let to: DataLocation
  let before: Map<string, string[]>
  beforeAll(async () => {
    to = await newLocation()
    await restore(to)
    const db = await open(to)
    await db.write((tx) => tx.db.insertInto('setup_tokens').values({ token_hash: 'mine', expires_at: 1 }).execute())
    await db.close()
    before = await contentOf(to)
  })

  async function expectRejected(text: string | RegExp, options: Partial<Parameters<typeof restoreBackup>[0]>) {
    const files = filesIn(to)
    await expect(restore(to, { replaces: true, ...options })).rejects.toThrow(text)
    expect(await contentOf(to)).toEqual(before)
    expect(filesIn(to)).toEqual(files)
    expect(readdirSync(to.dataDir).filter((name) => name.startsWith('restore-'))).toEqual([])
  }
  const sealed = (records: readonly ArchiveRecord[]) => sealedBackup(newFolder(), key, records)
  const end = { is: 'end' as const, tables: {}, issued: {}, files: {}, ledgerProblems: 0 }

  test('a running server', async () => {
    const db = await open(to)
    await expect(restore(to, { replaces: true })).rejects.toThrow(/is served by/)
    await db.close()
    expect(await contentOf(to)).toEqual(before)
  })

  test('a truncated backup', async () => {
    const file = join(newFolder(), 'cut.backup')
    writeFileSync(file, readFileSync(backup))
    truncateSync(file, readFileSync(backup).length - 1)
    await expectRejected('changed or cut off', { file })
  })

  test('a backup with one changed byte', async () => {
    const file = join(newFolder(), 'changed.backup')
    const bytes = readFileSync(backup)
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] as number) ^ 1
    writeFileSync(file, bytes)
    await expectRejected('changed or cut off', { file })
  })

  test('another key, and another master key than the backup was made with (R-BAK-01)', async () => {
    await expectRejected('The key is another one', { key: { kind: 'key', key: randomBytes(32) } })
    await expectRejected('Put back the master key of the backup first', { masterKey: new MasterKey(randomBytes(32)) })
  })

  test.each(['../../signet.db', '/etc/passwd', '..', '', 'a/b', 'a\\b', 'a\0b'])('a file named %j', async (id) => {
    const file = await sealed([head(), { is: 'file', id }, { is: 'bytes', bytes: Buffer.from('x') }, end])
    await expectRejected('a file with a wrong name', { file })
  })

  test('a backup of a newer version, or of another format', async () => {
    const newer = await sealed([{ ...head(), migration: migrations.length + 1 }, end])
    await expectRejected('from a newer version', { file: newer })
    await expectRejected('the format 3', { file: await sealed([{ ...head(), format: 3 }, end]) })
  })

  test('an unknown table or column, and rows without a table', async () => {
    const table = (name: string, columns: string[]) => sealed([head(), { is: 'table', name, columns }, end])
    await expectRejected('unknown table or unknown columns', { file: await table('sqlite_schema', ['sql']) })
    await expectRejected('unknown table or unknown columns', {
      file: await table('setup_tokens', ['token_hash"); drop table audit; --']),
    })
    await expectRejected('rows of no table', {
      file: await sealed([head(), { is: 'rows', rows: [['x', 1]] }, end]),
    })
  })

  test("a backup whose parts don't match its summary, or that has no end", async () => {
    const rows: ArchiveRecord[] = [
      head(),
      { is: 'table', name: 'setup_tokens', columns: ['expires_at', 'token_hash'] },
      { is: 'rows', rows: [[1, 'planted']] },
    ]
    await expectRejected('does not match its own totals', { file: await sealed([...rows, end]) })
    await expectRejected('has no end', { file: await sealed(rows) })
    await expectRejected('continues after its end', {
      file: await sealed([...rows, end, ...rows.slice(1)]),
    })
    await expectRejected('begin with its head', { file: await sealed(rows.slice(1)) })
  })

  test("a location that isn't empty, unless told to replace it", async () => {
    await expectRejected(/exists already|not empty/, { replaces: false })
    const { before: old } = await restore(to, { replaces: true })
    expect(before.get('setup_tokens')?.join()).toContain('mine')
    expect((await contentOf(to)).get('setup_tokens')?.join()).not.toContain('mine')
    if (testEngine === 'sqlite') {
      const olds = newFolder()
      writeFileSync(join(olds, 'signet.db'), readFileSync(old as string))
      expect(await contentOf({ ...to, dataDir: olds })).toEqual(before)
    }
  })
})

test("leaves nothing beside a backup that can't be written", async () => {
  const folder = newFolder()
  await expect(back({ folder, location: { ...location, databaseUrl: undefined, dataDir: folder } })).rejects.toThrow(
    'no database',
  )
  expect(existsSync(folder) && readdirSync(folder)).toEqual([])
})

describe('a disk that fills up in the middle', () => {
  /** Blocks of 512 bytes that a file may have; a longer one is rejected as a full disk would. */
  const withSmallFiles = (blocks: number) => `trap '' XFSZ; ulimit -f ${blocks}`
  const environmentOf = ({ dataDir, databaseUrl }: DataLocation) => {
    writeFileSync(join(dataDir, 'master.key'), masterSecret.toString('base64url'))
    return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  }

  test('leaves no partial backup', async () => {
    const folder = newFolder()
    const environment = environmentOf(location)
    const full = await runTool('backup', ['--to', folder], { environment, shell: withSmallFiles(4) })
    expect([full.code, full.output]).toEqual([1, expect.stringMatching(/EFBIG|ENOSPC|file too large/i)])
    expect(readdirSync(folder)).toEqual([])
  })

  /** PostgreSQL's disk is elsewhere: there it is a transaction that fails. */
  test.runIf(testEngine === 'sqlite')('leaves the previous database, and nothing beside it', async () => {
    const to = await newLocation()
    await restore(to)
    const before = await contentOf(to)
    const environment = environmentOf(to)
    const names = readdirSync(to.dataDir)
    const full = await runTool('restore', [backup, '--replace'], { environment, shell: withSmallFiles(8) })
    expect(full.code).toBe(1)
    expect(await contentOf(to)).toEqual(before)
    expect(readdirSync(to.dataDir)).toEqual(names)
    const room = await runTool('restore', [backup, '--replace'], { environment })
    expect([room.code, room.output]).toEqual([0, expect.stringContaining('Restored the backup of')])
  })
})
