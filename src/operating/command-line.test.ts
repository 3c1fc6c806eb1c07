import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTool } from '#testing/run-tool.ts'

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
