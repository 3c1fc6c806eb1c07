import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../../../testing/people/people.ts'
import { clientOptions } from '../../../testing/people/sdk-client.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { codes } from './codes.ts'
import { hardwareId, programHash } from './node.ts'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '..')
const built = mkdtempSync(join(tmpdir(), 'signet-sdk-'))
let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  const compiler = join(folder, '../../node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json'), '--outDir', built])
  writeFileSync(join(built, 'package.json'), '{"type":"module"}')
  app = await startTestApp({ clockRuns: true })
  owner = await newOwnerWithApp(app)
})
afterAll(async () => {
  rmSync(built, { recursive: true })
  await app.close()
})

/** The quick start of the README with the values of this app, as a program of its own. */
async function quickStart() {
  const [, code = ''] = /```js\n([^]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? []
  const options = await clientOptions(app, owner)
  const own = `new Client(${JSON.stringify({ ...options, heartbeatSeconds: 0.05 })})`
  const program = code
    .replace("'@signet/client'", "'./client.js'")
    .replace("'@signet/client/node'", "'./node.js'")
    .replace(/new Client\(\{[^]*?\n\}\)/, own)
  expect(program).toContain(own)
  const work = 'function doSomeWork() { return new Promise((resolve) => setTimeout(resolve, 10)) }\n'
  writeFileSync(join(built, 'program.js'), program + work)
  const child = spawn(process.execPath, [join(built, 'program.js')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    type: (text: string) => child.stdin.write(`${text}\n`),
    line: async () => String((await lines.next()).value),
    exit: once(child, 'exit'),
  }
}

test('the built package runs the quick start of the README until the license is banned', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await quickStart()
  program.type(key)
  expect(await program.line()).toBe(`License key: Welcome, ${key}`)
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  expect(await program.line()).toBe(codes.LICENSE_BANNED.message.en)
  expect(await program.exit).toEqual([3, null])
})

test('rejects a wrong key at once', async () => {
  const program = await quickStart()
  program.type('NO-SUCH-KEY')
  expect(await program.line()).toBe(`License key: ${codes.LICENSE_NOT_FOUND.message.en}`)
  expect(await program.exit).toEqual([3, null])
})

test('everything that package.json names is built, for old resolvers too, with maps to the source', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    main: string
    types: string
    typesVersions: Record<string, Record<string, string[]>>
    exports: Record<string, { types: string; default: string }>
  }
  const { main, types, typesVersions, exports } = manifest
  expect([main, types]).toEqual([exports['.']?.default, exports['.']?.types])
  expect(typesVersions['*']?.['node']).toEqual([exports['./node']?.types])
  const named = Object.values(exports).flatMap((each) => [each.types, each.default])
  for (const path of named) expect(existsSync(join(built, path.replace('./dist/', ''))), path).toBe(true)
  const maps = globSync('*.map', { cwd: built })
  expect(maps.length).toBeGreaterThan(40)
  for (const map of maps) {
    const { sources } = JSON.parse(readFileSync(join(built, map), 'utf8')) as { sources: string[] }
    for (const source of sources) expect(existsSync(join(dirname(join(built, map)), source)), map).toBe(true)
  }
})

test('the program hash is the SHA-256 of the file, and a missing file is an error', async () => {
  const file = join(built, 'empty')
  writeFileSync(file, '')
  expect(await programHash(file)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  await expect(programHash(join(built, 'nowhere'))).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' })
})

test('the hardware ID is 64 hex characters, stable, and differs by owner; a machine without one is an error', async () => {
  const ids = await Promise.all(['Ab3dE6gH1j', 'Ab3dE6gH1j', 'Zz3dE6gH1j'].map(hardwareId)).catch(
    (error: { code: string }) => error.code,
  )
  if (ids === 'HWID_UNAVAILABLE') return
  expect(ids[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})
