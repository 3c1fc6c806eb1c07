import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { copyProgressTable } from '#database/migrate.ts'
import { openDatabase } from '#database/open-database.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { runTool } from '#testing/run-tool.ts'
import { failedStart, type FailedStart, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine } from '#testing/start-test-app.ts'

/** The built server and the commands of operators, where they must not or cannot work. */

const scratch = mkdtempSync(join(tmpdir(), 'signet-start-'))
let made = 0
const newFolder = (): string => {
  const folder = join(scratch, String(++made))
  mkdirSync(folder)
  return folder
}

interface Settings extends Record<string, string> {
  DATA_DIR: string
}

const newSettings = async (): Promise<Settings> => ({
  DATA_DIR: newFolder(),
  ...(testEngine === 'postgres' && { DATABASE_URL: await freshPostgresUrl() }),
})

const open = (settings: Settings): Promise<Database> =>
  openDatabase({ dataDir: settings.DATA_DIR, databaseUrl: settings['DATABASE_URL'], sources: [] })

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)

function expectOneLine({ code, stderr }: FailedStart, text: string | RegExp): void {
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(stderr).toMatch(text)
  expect(code).toBe(1)
}

/** Of a database that a server has sealed: started once, then stopped. */
let sealed: Settings
let keyFile: string
let rightKey: string
let modes: string[]

beforeAll(async () => {
  sealed = await newSettings()
  keyFile = join(sealed.DATA_DIR, 'master.key')
  const server = await startServerProcess(sealed)
  try {
    rightKey = readFileSync(keyFile, 'utf8')
    modes = readdirSync(sealed.DATA_DIR).map((name) => `${name} ${modeOf(join(sealed.DATA_DIR, name))}`)
  } finally {
    await server.stop()
  }
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('every file of a server is readable by its own user only, even in a folder that is open to everyone (R-SEC-01)', () => {
  expect(modes).toContain('master.key 600')
  if (testEngine === 'sqlite') {
    expect(modes).toEqual(expect.arrayContaining(['signet.db 600', 'signet.db-wal 600', 'signet.db-shm 600']))
  }
  expect(modes.filter((file) => !file.endsWith(' 600'))).toEqual([])
})

// As the first process of a container, it would otherwise never hear the signal.
test('a server that still waits for its database ends at the first signal, by its own handler', async () => {
  const settings = { DATA_DIR: newFolder(), DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/nothing' }
  const waiting = await startServerProcess(settings, '/healthz')
  await waiting.stop()
  expect(waiting.process.exitCode).toBe(143)
})

const putKey = (text: string) => writeFileSync(keyFile, text)

describe("a server with a key other than its database's doesn't start, and changes nothing (R-SEC-01)", () => {
  test('another key: the server and every command that needs it name the file', async () => {
    const backup = join(newFolder(), 'backups')
    expect((await runTool('backup', ['--to', backup], { environment: sealed })).code).toBe(0)
    const [file = ''] = readdirSync(backup)
    const wrong = randomBytes(32).toString('base64url')
    putKey(wrong)
    const text = `The master key ${keyFile} is not the key of this database.`
    expectOneLine(await failedStart(sealed), text)
    const others = newFolder()
    expect((await runTool('backup', ['--to', others], { environment: sealed })).output).toContain(text)
    expect(readdirSync(others)).toEqual([])
    expect((await runTool('verify-audit', [], { environment: sealed })).output).toContain(text)
    const replace = await runTool('restore', [join(backup, file), '--replace'], { environment: sealed })
    expect([replace.code, replace.output]).toEqual([1, expect.stringMatching(/^The key is another one.*\n$/)])
    expect(readFileSync(keyFile, 'utf8')).toBe(wrong)
  })

  test('no key: none is created, not even by a second server on another machine', async () => {
    rmSync(keyFile)
    const text = `The master key ${keyFile} is missing.`
    expectOneLine(await failedStart(sealed), text)
    for (const tool of ['backup', 'seed-demo']) {
      const { code, output } = await runTool(tool, [], { environment: sealed })
      expect([tool, code, output]).toEqual([tool, 1, expect.stringContaining(text)])
    }
    expect(readdirSync(sealed.DATA_DIR)).not.toContain('master.key')
    if (testEngine === 'postgres') {
      const elsewhere = { ...sealed, DATA_DIR: newFolder() }
      expectOneLine(await failedStart(elsewhere), `${elsewhere.DATA_DIR}/master.key is missing`)
      expect(readdirSync(elsewhere.DATA_DIR)).toEqual([])
    }
  })

  test('a damaged key: it stays for the operator to repair, and the right one works again', async () => {
    putKey(rightKey.slice(0, -2))
    expectOneLine(await failedStart(sealed), `${keyFile} must be 32 bytes in base64url`)
    expect(readFileSync(keyFile, 'utf8')).toBe(rightKey.slice(0, -2))
    putKey(rightKey)
    const server = await startServerProcess(sealed)
    await server.stop()
  })
})

describe('an error that the operator can fix is one line, with exit code 1', () => {
  let occupied: Server
  let port: string

  beforeAll(async () => {
    putKey(rightKey)
    occupied = createServer()
    await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve))
    port = String((occupied.address() as { port: number }).port)
  })
  afterAll(() => occupied.close())

  test('a port in use: nothing is opened, created, or printed first', async () => {
    const settings = { DATA_DIR: join(newFolder(), 'data') }
    const failed = await failedStart({ ...settings, PORT: port })
    expectOneLine(failed, `PORT ${port} of HOST 127.0.0.1 is in use by another process`)
    expect(failed.stdout).toBe('')
    expect(readdirSync(join(settings.DATA_DIR, '..'))).toEqual([])
  })

  // Whoever runs it without npm gets the system's Node.
  test('a Node that is too old', async () => {
    const preload = join(newFolder(), 'older-node.cjs')
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`,
    )
    const failed = await failedStart(
      { NODE_OPTIONS: `--require ${preload}`, DATA_DIR: join(scratch, 'never') },
      [],
      'tools/start.js',
    )
    expectOneLine(
      failed,
      /^Signet needs Node 24\.\S+, but runs on 20\.19\.0: use npm start, or node_modules\/\.bin\/node$/m,
    )
  })

  test('a log that cannot be written holds nothing up', async () => {
    const settings = { DATA_DIR: newFolder(), PUBLIC_ULR: 'x', MASTER_KEY_FILE: scratch }
    const fullLog = ['sh', '-c', 'exec "$0" "$@" > /dev/full']
    const { code, stderr } = await failedStart(settings, fullLog)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The log can't be written \(ENOSPC: .*\nThe master key .* can't be read .*\n$/)
  })

  test("a missing TLS file, and a certificate and key that don't match", async () => {
    const [one, other] = ['one.pem', 'other.pem'].map((name) => join(newFolder(), name)) as [string, string]
    const settings = { DATA_DIR: join(scratch, 'never'), TLS_CERT_FILE: one, TLS_KEY_FILE: other }
    expectOneLine(await failedStart(settings), `TLS_CERT_FILE must be a file that can be read (ENOENT`)
    writeFileSync(one, 'no certificate')
    writeFileSync(other, 'no key')
    expectOneLine(await failedStart(settings), `TLS_CERT_FILE ${one} and TLS_KEY_FILE ${other} are no certificate`)
  })

  test('a database of a newer version', async () => {
    const settings = await newSettings()
    const db = await open(settings)
    await db.write(({ db: trx }) => sql`insert into migrations values (9999, 'newer')`.execute(trx))
    await db.close()
    expectOneLine(await failedStart(settings), 'The database is from a newer version (migration 9999)')
    expect(readdirSync(settings.DATA_DIR)).not.toContain('master.key')
  })

  test.runIf(testEngine === 'postgres').each([
    [
      'fails',
      `process.nextTick(() => this.emit('error', Object.assign(new Error('taken'), { code: 'EADDRINUSE' })))`,
      1,
    ],
    ['is stopped', `process.kill(process.pid, 'SIGTERM')`, 143],
  ])('a start that %s late leaves nothing that a restore would wait for', async (_, late, code) => {
    const preload = join(newFolder(), 'late.cjs')
    // The first server only says that the start isn't complete.
    writeFileSync(
      preload,
      `const { Server } = require('net'), { listen } = Server.prototype
       let servers = 0
       Server.prototype.listen = function (...given) {
         if (++servers === 1) return listen.apply(this, given)
         ${late}
       }`,
    )
    const settings = await newSettings()
    const failed = await failedStart({ ...settings, NODE_OPTIONS: `--require ${preload}` })
    expect(failed.code, failed.stderr).toBe(code)
    const db = await open(settings)
    const { rows } = await sql`select name from server_processes`.execute(db.read)
    await db.close()
    expect(rows).toEqual([{ name: expect.stringContaining(`process ${process.pid} `) as string }])
  })

  // Below /proc, the system reports each new folder's parent as missing, although it exists.
  test("a folder that can't be created, for the data, the master key, and backups", async () => {
    const nowhere = '/proc/signet/data'
    const forData = await failedStart({ ...(await newSettings()), DATA_DIR: nowhere })
    expectOneLine(forData, testEngine === 'sqlite' ? `${nowhere}/signet.db can't be opened` : `${nowhere}/master.key`)
    const forKey = await failedStart({ ...(await newSettings()), MASTER_KEY_FILE: `${nowhere}/master.key` })
    expectOneLine(forKey, `The master key ${nowhere}/master.key can't be created`)
    const backup = await runTool('backup', ['--to', nowhere], { environment: sealed })
    expect([backup.code, backup.output]).toEqual([1, expect.stringMatching(/^ENOENT: .*'\/proc\/signet'\n$/)])
  })

  test.runIf(testEngine === 'sqlite')("a read-only disk, and a file that isn't a database", async () => {
    // A folder of the kernel, in which nobody may create anything.
    expectOneLine(await failedStart({ DATA_DIR: '/sys/signet' }), "/sys/signet/signet.db can't be opened")
    const settings = await newSettings()
    await (await open(settings)).close()
    const mount = `mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,bind,ro "$DATA_DIR" && exec "$0" "$@"`
    if (mayMount()) {
      const readOnly = await failedStart(settings, ['unshare', '-rm', 'sh', '-c', mount])
      expectOneLine(readOnly, 'on a disk that is not read-only')
    }
    writeFileSync(join(settings.DATA_DIR, 'signet.db'), 'x'.repeat(10_000))
    expectOneLine(await failedStart(settings), 'The file is damaged or is not a database: restore a backup.')
  })

  test.runIf(testEngine === 'sqlite')("a command without a database, which doesn't create one", async () => {
    const withoutKey = await newSettings()
    const withKey = await newSettings()
    writeFileSync(join(withKey.DATA_DIR, 'master.key'), rightKey)
    const runs = ['verify-ledger', 'verify-audit', 'backup'].flatMap((tool) => [
      { tool, settings: withKey },
      { tool, settings: withoutKey },
    ])
    for (const { tool, settings } of runs) {
      const { code, output } = await runTool(tool, [], { environment: settings })
      expect([code, output]).toEqual([1, expect.stringMatching(/^There is no database \S+ .*\n$/)])
      expect(readdirSync(settings.DATA_DIR).filter((name) => name.startsWith('signet.db'))).toEqual([])
    }
  })

  test.runIf(testEngine === 'postgres')(
    'a PostgreSQL database that is missing, rejects the user, or is a partial copy',
    async () => {
      const settings = await newSettings()
      const url = new URL(settings['DATABASE_URL'] ?? '')
      const missing = url.href.replace(/\/[^/]*$/, '/no_such_database')
      expectOneLine(
        await failedStart({ ...settings, DATABASE_URL: missing }),
        /"no_such_database" does not exist. Create it/,
      )
      const stranger = url.href.replace('//signet:', '//stranger:')
      expectOneLine(await failedStart({ ...settings, DATABASE_URL: stranger }), 'Correct the user and the password')
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      await client.query(`create table ${copyProgressTable} (name text)`)
      await client.end()
      const foreign = await newSettings()
      const other = new pg.Client({ connectionString: foreign['DATABASE_URL'] })
      await other.connect()
      await other.query('create table accounts (name text)')
      await other.end()
      expectOneLine(await failedStart(foreign), /accounts.* exists.*empty database/)
      expectOneLine(
        await failedStart(settings),
        'has an unfinished copy: run npm run migrate-to-postgres again to finish it',
      )
    },
  )
})

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
