import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unzipSync } from 'fflate'
import { startTestApp } from '#testing/start-test-app.ts'
import { packClients } from './build-clients.ts'
import { unpackTar } from './tar.ts'

/** The packages of the clients work as customers install them, and a running server offers them. */

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'signet-clients-'))
let packages: Map<string, Uint8Array>

beforeAll(async () => {
  packages = await packClients()
})
afterAll(() => rmSync(folder, { recursive: true }))

const named = (pattern: RegExp): Uint8Array => {
  const [, content] = [...packages].find(([name]) => pattern.test(name)) ?? []
  if (!content) throw new Error(`No package ${pattern}`)
  return content
}

test('Python imports the wheel, whose record names every file with its hash', async () => {
  const wheel = named(/\.whl$/)
  const file = join(folder, 'signet.whl')
  writeFileSync(file, wheel)
  const files = unzipSync(wheel)
  const record = Object.entries(files).find(([name]) => name.endsWith('.dist-info/RECORD'))
  const lines = Buffer.from(record?.[1] ?? [])
    .toString()
    .trim()
    .split('\n')
  expect(lines).toHaveLength(Object.keys(files).length)
  for (const line of lines.filter((each) => !each.endsWith(',,'))) {
    const [name = '', hash] = line.split(',')
    const sha256 = createHash('sha256')
      .update(files[name] ?? '')
      .digest('base64url')
    expect(`sha256=${sha256}`, name).toBe(hash)
  }
  expect(Object.keys(files).some((name) => name.endsWith('/LICENSE'))).toBe(true)
  const python = process.env['SIGNET_PYTHON'] ?? 'python3'
  const code = 'import signet_client, sys; sys.stdout.write(signet_client.__file__)'
  const { stdout } = await run(python, ['-c', code], { env: { ...process.env, PYTHONPATH: file } })
  expect(stdout).toContain('signet.whl')
})

test('Node imports the npm package, with and without package exports', async () => {
  const files = unpackTar(gunzipSync(named(/^signet-client-.*\.tgz$/)))
  const top = join(folder, 'node_modules/@signet/client')
  for (const [name, content] of files) {
    const path = join(top, name.replace(/^package\//, ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  expect(files.has('package/LICENSE')).toBe(true)
  writeFileSync(
    join(folder, 'program.mjs'),
    `import { Client } from '@signet/client'
import { hardwareId } from '@signet/client/node'
console.log(typeof Client, typeof hardwareId)`,
  )
  const { stdout } = await run(process.execPath, [join(folder, 'program.mjs')])
  expect(stdout).toBe('function function\n')
})

test('the archives of C# and C++ have sources, README and license, and no tests or build output', () => {
  for (const [language, source] of [
    ['csharp', 'src/Signet.Client/Signet.Client.csproj'],
    ['cpp', 'CMakeLists.txt'],
  ]) {
    const names = [...unpackTar(gunzipSync(named(new RegExp(`^signet-${language}-`)))).keys()]
    const [top] = (names[0] ?? '').split('/')
    expect(names).toEqual(expect.arrayContaining([`${top}/LICENSE`, `${top}/README.md`, `${top}/${source}`]))
    expect(names.filter((name) => /\/(?:tests|bin|obj|build)\//.test(name))).toEqual([])
  }
})

test('equal sources give equal packages', async () => {
  const again = await packClients()
  for (const [name, content] of packages)
    expect(Buffer.compare(content, again.get(name) ?? content.slice(1)), name).toBe(0)
})

test('a server offers what was built beside its dashboard, and nothing above it', async () => {
  mkdirSync(join(folder, 'web'))
  mkdirSync(join(folder, 'clients'))
  writeFileSync(join(folder, 'web/index.html'), '<p>the dashboard</p>')
  writeFileSync(join(folder, 'clients/index.json'), '{"files":[]}')
  writeFileSync(join(folder, 'clients/signet.whl'), 'the wheel')
  const app = await startTestApp({ dashboardDir: join(folder, 'web') })
  try {
    expect(await (await fetch(`${app.url}/clients/signet.whl`)).text()).toBe('the wheel')
    expect((await fetch(`${app.url}/clients/index.json`)).headers.get('content-type')).toContain('application/json')
    for (const path of ['/clients/missing.whl', '/clients/..%2fweb%2findex.html', '/clients/%2e%2e/program.mjs']) {
      expect((await fetch(app.url + path)).status, path).toBeGreaterThanOrEqual(400)
    }
  } finally {
    await app.close()
  }
  expect(readFileSync(join(folder, 'clients/signet.whl'), 'utf8')).toBe('the wheel')
})
