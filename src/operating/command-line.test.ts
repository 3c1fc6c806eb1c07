import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#database/open-database.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { runTool } from '#testing/run-tool.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, testEngine } from '#testing/start-test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-command-line-'))
beforeAll(() => writeFileSync(join(folder, 'master.key'), randomBytes(32).toString('base64url')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const unreachable =
  "PostgreSQL at 127.0.0.1:1/signet can't be reached (connect ECONNREFUSED 127.0.0.1:1). Start it, or correct DATABASE_URL."

test.each<[command: string, args: string[], settings: Record<string, string>, line: string]>([
  ['restore', [folder, '--replace'], {}, `${folder} is a folder: name a backup in it`],
  ['backup', ['--check', folder], {}, `${folder} is a folder: name a backup in it`],
  [
    'backup',
    ['--passphrase-file', folder],
    {},
    `The passphrase file ${folder} can't be read (EISDIR: illegal operation on a directory, read)`,
  ],
  ...[['--to=~/backups'], ['--to', '~/backups'], ['--check', '~/backups']].map(
    (args): [string, string[], Record<string, string>, string] => [
      'backup',
      args,
      {},
      '"~/backups" is a path with ~, which no shell has expanded: write the whole path',
    ],
  ),
  ['restore', ['~'], {}, '"~" is a path with ~, which no shell has expanded: write the whole path'],
  ...['backup', 'audit:verify'].map((command): [string, string[], Record<string, string>, string] => [
    command,
    [],
    { DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/signet' },
    unreachable,
  ]),
])('npm run %s %j with %j says in one line what to do', async (command, args, settings, line) => {
  const tool = command === 'audit:verify' ? 'verify-audit' : command
  const { code, output } = await runTool(tool, args, { environment: { DATA_DIR: folder, ...settings } })
  expect([code, output.trim()]).toEqual([1, line])
})

/** An open connection to PostgreSQL would keep the process alive, and its heartbeat would keep a restore waiting. */
test.runIf(testEngine === 'postgres')('npm run ledger:verify ends if the ledger cannot be read', async () => {
  const url = await freshPostgresUrl()
  const db = await openDatabase({ databaseUrl: url, dataDir: folder, sources: [] })
  await sql`drop table credit_transfers`.execute(db.read)
  await db.close()
  let child: ChildProcess | undefined
  const running = runTool('verify-ledger', [], {
    environment: { DATA_DIR: folder, DATABASE_URL: url },
    onStart: (started) => (child = started),
  })
  const stuck = setTimeout(() => child?.kill('SIGKILL'), 20_000)
  const { code, output } = await running
  clearTimeout(stuck)
  expect([code, output]).toEqual([1, expect.stringContaining('credit_transfers')])
  const again = await openDatabase({ databaseUrl: url, dataDir: folder, sources: [] })
  const { rows } = await sql`select name from server_processes`.execute(again.read)
  await again.close()
  expect(rows).toHaveLength(1)
})

test.runIf(testEngine === 'postgres')(
  'npm run backup opens no more connections than DATABASE_CONNECTIONS',
  async () => {
    const url = await freshPostgresUrl()
    const dataDir = mkdtempSync(join(folder, 'few-connections-'))
    const secret = randomBytes(32)
    const app = await startTestApp({ masterKey: new MasterKey(secret), postgres: { url } })
    await readInstallation(app.db)
    const database = sql.id(new URL(url).pathname.slice(1))
    await app.db.write(({ db }) => sql`alter database ${database} connection limit 20`.execute(db))
    writeFileSync(join(dataDir, 'master.key'), secret.toString('base64url'))
    const environment = { DATA_DIR: dataDir, DATABASE_URL: url, DATABASE_CONNECTIONS: '10' }
    const { code, output } = await runTool('backup', [], { environment })
    const recorded = await app.db.read.selectFrom('backups').selectAll().execute()
    await app.close()
    expect([code, output]).toEqual([0, expect.stringMatching(/^\S+\.backup: [^\n]+ read back and verified\.\n$/)])
    expect(recorded).toHaveLength(1)
  },
)

test('the health check of the image asks the default port if PORT is empty, as the server listens there', async () => {
  const printed = `import http from 'node:http'
    import { syncBuiltinESMExports } from 'node:module'
    http.request = ({ port }) => process.exit(console.log(String(port)))
    syncBuiltinESMExports()`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(printed)}`
  const { output } = await runTool('health', [], { environment: { DATA_DIR: folder, PORT: '', NODE_OPTIONS } })
  expect(output).toBe('8080\n')
})

const operatorCommands = [
  'backup',
  'restore',
  'migrate-to-postgres',
  'reset-password',
  'clean-files',
  'verify-audit',
  'verify-ledger',
  'seed-demo',
]

test.each(operatorCommands)('%s --help shows its usage, whatever the settings, and does nothing', async (tool) => {
  const environment = { DATA_DIR: folder, PORT: 'none' }
  const before = readdirSync(folder)
  const { code, output } = await runTool(tool, ['--help'], { environment })
  expect([code, output]).toEqual([0, expect.stringMatching(/^npm run [a-z:-]+/)])
  const misspelled = await runTool(tool, ['--hepl'], { environment })
  expect([misspelled.code, misspelled.output]).toEqual([1, "Unknown option '--hepl'. --help shows the options\n"])
  expect(readdirSync(folder)).toEqual(before)
})
