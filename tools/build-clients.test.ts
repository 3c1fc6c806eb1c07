import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unzipSync } from 'fflate'
import {
  cppSnippet,
  csharpSnippet,
  type ProgramSettings,
  pythonSnippet,
  typescriptSnippet,
} from '#features/apps/web/client-snippets.ts'
import { csharpProject, type InstallCommands, installCommands } from '#features/apps/web/client-packages.ts'
import { type CodeLine, snippetText } from '#features/apps/web/code-lines.ts'
import { bannedText } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { clientOptions } from '#testing/people/sdk-client.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { packClients } from './build-clients.ts'
import { unpackTar } from './tar.ts'

/** The packages of the clients work as customers install them, and a running server offers them. */

const run = promisify(execFile)
const python = process.env['SIGNET_PYTHON'] ?? 'python3'
const folder = mkdtempSync(join(tmpdir(), 'signet-clients-'))
/** Not below `folder`, because npm installs into the nearest folder above that has packages. */
const projects = mkdtempSync(join(tmpdir(), 'signet-projects-'))
const wheelFile = join(folder, 'signet.whl')
let packages: Map<string, Uint8Array>

beforeAll(async () => {
  packages = await packClients()
  writeFileSync(wheelFile, named(/\.whl$/))
  for (const [name, content] of unpackTar(gunzipSync(named(/^signet-client-.*\.tgz$/)))) {
    const path = join(folder, 'node_modules/@signet/client', name.replace(/^package\//, ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
})
afterAll(() => {
  for (const each of [folder, projects]) rmSync(each, { recursive: true })
})

const named = (pattern: RegExp): Uint8Array => {
  const [, content] = [...packages].find(([name]) => pattern.test(name)) ?? []
  if (!content) throw new Error(`No package ${pattern}`)
  return content
}

test('Python imports the wheel, whose record names every file with its hash', async () => {
  const wheel = named(/\.whl$/)
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
  const code = 'import signet_client, sys; sys.stdout.write(signet_client.__file__)'
  const { stdout } = await run(python, ['-c', code], { env: { ...process.env, PYTHONPATH: wheelFile } })
  expect(stdout).toContain('signet.whl')
})

test('Node imports the npm package, with and without package exports', async () => {
  const files = unpackTar(gunzipSync(named(/^signet-client-.*\.tgz$/)))
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

describe('the command line', () => {
  test('has no dependencies, no tests, and its license', () => {
    const files = unpackTar(gunzipSync(named(/^signet-cli-/)))
    expect([...files.keys()].filter((name) => !/^package\/dist\/[a-z-]+\.js$/.test(name)).toSorted()).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/package.json',
    ])
    const manifest = JSON.parse(Buffer.from(files.get('package/package.json') ?? []).toString()) as object
    for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies'])
      expect(manifest).not.toHaveProperty(field)
  })

  test('is installed from the server, and talks to it', async () => {
    const served = join(folder, 'served-cli')
    for (const each of ['web', 'clients']) mkdirSync(join(served, each), { recursive: true })
    writeFileSync(join(served, 'web/index.html'), '<p>the dashboard</p>')
    const [name = '', content = ''] = [...packages].find(([each]) => each.startsWith('signet-cli-')) ?? []
    writeFileSync(join(served, 'clients', name), content)
    const app = await startTestApp({ clockRuns: true, dashboardDir: join(served, 'web') })
    try {
      const { key } = await newSeller(app, await newOwnerWithApp(app))
      const npm = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' }
      const cwd = await installed('cli', `npm install ${app.url}/clients/${name}`, npm)
      const env = { ...process.env, SIGNET_URL: app.url, SIGNET_KEY: key, XDG_CONFIG_HOME: cwd }
      const { stdout } = await run('npx', ['--no', 'signet', 'licenses', 'create', '--level', '1'], { cwd, env })
      expect(stdout).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}\n$/)
    } finally {
      await app.close()
    }
  })
})

describe('the program that the dashboard shows, with the package that the server offers', () => {
  let app: TestApp
  let owner: OwnedApp
  beforeAll(async () => {
    const served = join(folder, 'served')
    for (const each of ['web', 'clients']) mkdirSync(join(served, each), { recursive: true })
    writeFileSync(join(served, 'web/index.html'), '<p>the dashboard</p>')
    for (const [name, content] of packages) writeFileSync(join(served, 'clients', name), content)
    app = await startTestApp({ clockRuns: true, dashboardDir: join(served, 'web') })
    owner = await newOwnerWithApp(app, 'Prism Studio')
  })
  afterAll(() => app.close())

  const programs: [
    string,
    (settings: ProgramSettings) => CodeLine[],
    (code: string, install: InstallCommands) => Promise<string[] | undefined>,
  ][] = [
    ['Python', pythonSnippet, pythonProgram],
    ['TypeScript', typescriptSnippet, typescriptProgram],
    ['C#', csharpSnippet, csharpProgram],
    ['C++', cppSnippet, cppProgram],
  ]

  test.each(programs)('%s: runs with a good key, and says why a banned one is rejected', async (_, snippet, build) => {
    const { ownerId, appName, version, serverUrl, sealingKey, verificationKey } = await clientOptions(app, owner)
    const settings = { ownerId, appName, version, serverUrl, sealingKey, verificationKey }
    const code = snippetText(snippet({ ...settings, hashCheck: false, hashToCheck: '', sslFingerprint: 'auto' }))
    const command = await build(code, installCommands(serverUrl))
    // The toolchain is missing; npm test says so.
    if (!command) return
    const [key = ''] = await newLicenses(owner, 1)
    const yes = await enterKey(command, ` ${key} `)
    expect(yes.output).toMatch(/^Key: \s*Welcome, your license runs until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\s*$/)
    expect(yes.code).toBe(0)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
    const no = await enterKey(command, key)
    // The whole output: a customer sees no stack trace.
    expect(no.output.replace(/^Key: \s*/, '')).toMatch(bannedText)
    expect(no.code).toBe(1)
  })
})

function enterKey([command = '', ...args]: string[], key: string): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
    child.on('error', fail)
    child.on('close', (code) => done({ code, output }))
    child.stdin.end(`${key}\n`)
  })
}

/** An empty folder in which a command of the dashboard is run, as it stands there. */
async function installed(name: string, command: string, more: Record<string, string> = {}): Promise<string> {
  const cwd = join(projects, name)
  mkdirSync(cwd)
  await run('sh', ['-e', '-c', command], { cwd, env: { ...process.env, ...more } })
  return cwd
}

/** `cryptography` is the one that the tests use; pip asks no index. A Python of the system may have no pip. */
async function pythonProgram(code: string, install: InstallCommands): Promise<string[]> {
  const hasPip = await run(python, ['-m', 'pip', '--version']).then(
    () => true,
    () => false,
  )
  const target = hasPip ? join(projects, 'python/packages') : wheelFile
  const pip = { PIP_TARGET: target, PIP_NO_DEPS: '1', PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  // The pip of that Python, whatever `pip` is on the path.
  const command = hasPip ? `pip() { '${python}' -m pip "$@"; }\n${install.python}` : ''
  const cwd = await installed('python', command, pip)
  writeFileSync(join(cwd, 'program.py'), code)
  return ['env', `PYTHONPATH=${target}`, python, join(cwd, 'program.py')]
}

/** The package has no dependencies, so npm asks only the server. */
async function typescriptProgram(code: string, install: InstallCommands): Promise<string[]> {
  const npm = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' }
  const cwd = await installed('typescript', install.typescript, npm)
  writeFileSync(join(cwd, 'program.mjs'), code)
  return [process.execPath, join(cwd, 'program.mjs')]
}

async function csharpProgram(code: string, install: InstallCommands): Promise<string[] | undefined> {
  if (!process.env['SIGNET_CSHARP_PROGRAM']) return undefined
  const dotnet = { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' }
  const cwd = await installed('csharp', install.csharp, dotnet)
  writeFileSync(join(cwd, csharpProject, 'Program.cs'), code)
  await run('dotnet', ['build', csharpProject, '-o', 'out'], { cwd, env: { ...process.env, ...dotnet } })
  return ['dotnet', join(cwd, `out/${csharpProject}.dll`)]
}

/**
 * CMake downloads and configures the client with the lines of the dashboard. Compiling it takes minutes, so the program is
 * compiled with the archive's headers and the library that `npm test` has built from the same sources.
 */
async function cppProgram(code: string, install: InstallCommands): Promise<string[] | undefined> {
  if (!process.env['SIGNET_CPP_PROGRAM']) return undefined
  const project = join(projects, 'cpp')
  mkdirSync(project)
  const source = join(project, 'program.cpp')
  writeFileSync(source, code)
  const lines = [
    'cmake_minimum_required(VERSION 3.20...3.28)',
    'project(prism C CXX)',
    'add_executable(your_program program.cpp)',
  ]
  writeFileSync(join(project, 'CMakeLists.txt'), [...lines, install.cpp].join('\n'))
  await run('cmake', ['-S', project, '-B', join(project, 'build')])
  const top = unpacked(/^signet-cpp-/)
  const program = join(folder, 'cpp-program')
  const library = resolve('.cache/cpp/libsignet.a')
  const flags = ['-std=c++17', '-DSIGNET_STATIC', '-I', join(top, 'include')]
  await run('c++', [...flags, source, library, '-lcurl', '-lssl', '-lcrypto', '-lpthread', '-o', program])
  return [program]
}

/** The folder of an archive of sources. */
function unpacked(pattern: RegExp): string {
  const files = unpackTar(gunzipSync(named(pattern)))
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return join(folder, ([...files.keys()][0] ?? '').split('/')[0] ?? '')
}

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

test('the install commands of the dashboard name packages that exist', () => {
  const names = Object.values(installCommands('https://keys.example')).map(
    (command) => /https:\/\/keys\.example\/clients\/([^\s)]+)/.exec(command)?.[1],
  )
  // The command line is no client of programs.
  const clients = [...packages.keys()].filter((name) => !name.startsWith('signet-cli-'))
  expect(names.toSorted()).toEqual(clients.toSorted())
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
