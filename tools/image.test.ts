import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '#testing/servers/free-port.ts'
import { goodPassword } from '#testing/people/people.ts'
import { programEnvironment } from '#testing/servers/program-environment.ts'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { ensureServer } from './build-server.ts'
import { root } from './outdated.ts'

/**
 * The content of the image is sufficient: simulates its last stage in an empty folder, with the packages that `npm
 * prune` leaves.
 */

const folder = mkdtempSync(join(tmpdir(), 'signet-image-'))
const data = join(folder, 'data')
const image = join(folder, 'signet')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const [, lastStage = ''] = dockerfile.split(/^FROM .*\n(?![^]*^FROM )/m)
const node = join(image, 'node_modules/.bin/node')
const commandOf = (instruction: RegExp) => JSON.parse(instruction.exec(lastStage)?.[1] ?? '[]') as string[]

beforeAll(async () => {
  await ensureServer()
  for (const [, list = ''] of lastStage.matchAll(/^COPY --from=build (.+)$/gm)) {
    const sources = list.split(' ')
    const target = sources.pop() ?? ''
    for (const source of sources.map((each) => each.replace('/signet/', ''))) {
      if (source === 'node_modules') copyPackages()
      else
        cpSync(join(root, source), join(image, target.endsWith('/') ? join(target, basename(source)) : target), copying)
    }
  }
  // Building the dashboard takes longer than all tests here, and none of them uses it.
  const page = join(image, 'dist/web/index.html')
  if (!existsSync(page)) {
    mkdirSync(dirname(page), { recursive: true })
    writeFileSync(page, '<!doctype html>')
  }
  mkdirSync(data)
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The demo data takes ten seconds and only fills empty databases. */
const firstAdmin = { ADMIN_USERNAME: 'captain', ADMIN_PASSWORD: goodPassword, ADMIN_EMAIL: 'captain@example.com' }
const copying = { recursive: true, preserveTimestamps: true, filter: (path: string) => !path.includes('node_modules') }

/** Copies the production packages, one of which is Node. */
function copyPackages(): void {
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: root, encoding: 'utf8' })
  const paths = listed.split('\n').flatMap((line) => /\/(node_modules\/.+)$/.exec(line.replace(root, ''))?.[1] ?? [])
  const outermost = paths.filter((path) => !path.slice(1).includes('/node_modules/'))
  for (const path of new Set(outermost)) {
    mkdirSync(dirname(join(image, path)), { recursive: true })
    execFileSync('cp', ['-a', join(root, path), join(image, path)])
  }
  mkdirSync(dirname(node), { recursive: true })
  symlinkSync('../node/bin/node', node)
}

const run = (command: readonly string[], environment: Record<string, string> = {}) => {
  const [program = '', ...args] = command
  const env = { ...programEnvironment, DATA_DIR: data, HOST: '127.0.0.1', ...environment }
  return spawnSync(join(image, program), args, { cwd: image, env, encoding: 'utf8' })
}

describe.each(['http', 'https'])('over %s', (protocol) => {
  test('the server starts, and HEALTHCHECK tells whether it answers', async () => {
    const { cert, key } = selfSigned()
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'key.pem'), key)
    const tls = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') }
    const environment = { PORT: String(await freePort()), ...(protocol === 'https' && tls) }
    const healthcheck = commandOf(/^HEALTHCHECK [^]*?CMD (\[.*\])$/m)
    expect(run(healthcheck, environment).status).toBe(1)
    const [program = '', ...args] = commandOf(/^CMD (\[.*\])$/m)
    const env = { ...programEnvironment, DATA_DIR: data, DRAIN_SECONDS: '0', ...firstAdmin, ...environment }
    const server = spawn(join(image, program), args, { cwd: image, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(server, 'exit')
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    try {
      // The process is running and already replies before the server is ready to be stopped.
      const isReady = () => server.exitCode !== null || output.includes('Signet is ready')
      await vi.waitUntil(isReady, { timeout: 60_000, interval: 50 })
      expect(server.exitCode).toBeNull()
      expect(run(healthcheck, environment).status).toBe(0)
    } finally {
      server.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
    expect(run(healthcheck, environment).status).toBe(1)
  }, 120_000)
})

test('npm run demo finds all that it is made of, and leaves a database with accounts alone', () => {
  const { status, stderr } = run(['node_modules/.bin/node', 'tools/seed-demo.ts'])
  expect([status, stderr]).toEqual([1, expect.stringContaining('This database has accounts already') as string])
}, 120_000)

test('buildah builds the image, and the demo runs in it', (context) => {
  const { error } = spawnSync('buildah', ['--version'])
  context.skip(error !== undefined, 'buildah is not here')
  const buildah = (...args: string[]) => execFileSync('buildah', args, { cwd: root, encoding: 'utf8' }).trim()
  const id = buildah('build', '--quiet', '.')
  const container = buildah('from', id)
  try {
    const demo = buildah('run', container, '--', 'node_modules/.bin/node', 'tools/seed-demo.ts')
    expect(demo).toContain('Sign in as')
  } finally {
    buildah('rm', container)
    buildah('rmi', id)
  }
}, 1_800_000)
