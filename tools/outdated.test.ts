import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Build, hashSources, isOutdated, replaceBuild } from './outdated.ts'

/** A repository with only these tools, and a build tool that records the process it runs in. */
const scratch = mkdtempSync(join(tmpdir(), 'signet-build-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const tools = ['build-server.ts', 'outdated.ts', 'run-command.ts']
const vite = join(scratch, 'node_modules/vite')
const dist = join(scratch, 'dist')

/** By default from before any build. */
function write(path: string, content: string, at = new Date('2020-01-01')): void {
  const file = join(scratch, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  utimesSync(file, at, at)
}

beforeEach(() => {
  for (const each of ['src', 'dist']) rmSync(join(scratch, each), { recursive: true, force: true })
  write('package.json', '{ "type": "module" }')
  write('package-lock.json', '{}')
  write('src/main.ts', 'export const version = 2')
  write('src/server/new.ts', 'export {}')
})

describe('a build belongs to the contents of its sources, whatever their times', () => {
  const build: Build = {
    name: 'The program',
    folder: join(dist, 'program'),
    built: join(dist, 'program/main.js'),
    sources: [join(scratch, 'src/**/*')],
  }
  const stamp = join(dist, 'program.sources.json')
  const buildIt = (meanwhile = () => {}) =>
    replaceBuild(build, hashSources(build), () => {
      write('dist/program/main.js', 'built')
      meanwhile()
    })

  test('it is current, and nothing else is left', async () => {
    expect(isOutdated(build)).toBe(true)
    await buildIt()
    expect(isOutdated(build)).toBe(false)
    expect(readdirSync(dist).toSorted()).toEqual(['program', 'program.sources.json'])
  })

  test.each<[string, () => void]>([
    ['a release is unpacked over it, with files older than it', () => write('src/main.ts', 'export const version = 3')],
    ['a release is unpacked over it, with one more file', () => write('src/server/other.ts', 'export {}')],
    ['an older commit lacks a file', () => rmSync(join(scratch, 'src/server/new.ts'))],
    [
      'a file has another name',
      () => renameSync(join(scratch, 'src/server/new.ts'), join(scratch, 'src/server/old.ts')),
    ],
    ['it was made by an older version, without a stamp', () => rmSync(stamp)],
    ['its stamp is not whole', () => writeFileSync(stamp, '{"src/main.ts":')],
    ['it is gone', () => rmSync(build.folder, { recursive: true })],
  ])('%s: it is outdated', async (_, change) => {
    await buildIt()
    change()
    expect(isOutdated(build)).toBe(true)
  })

  test('the same contents, written later, and a test: it is current', async () => {
    await buildIt()
    const later = new Date(Date.now() + 60_000)
    write('src/main.ts', 'export const version = 2', later)
    write('src/server/main.test.ts', 'no source', later)
    expect(isOutdated(build)).toBe(false)
  })

  test('a source that changes during the build: it is outdated', async () => {
    await buildIt(() => write('src/main.ts', 'export const version = 3'))
    expect(isOutdated(build)).toBe(true)
  })

  test('a build that is interrupted: it is outdated, although the previous one was current', async () => {
    await buildIt()
    const interrupted = buildIt(() => {
      throw new Error('interrupted')
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    expect(isOutdated(build)).toBe(true)
  })
})

describe('a start', () => {
  const goodBuild =
    "mkdirSync(outDir, { recursive: true }); writeFileSync(outDir + '/main.js', 'export const builder = ' + process.pid)"

  beforeEach(() => {
    write(
      'node_modules/vite/package.json',
      '{ "name": "vite", "type": "module", "exports": { ".": "./vite.js", "./package.json": "./package.json" } }',
    )
    for (const tool of tools) cpSync(join(import.meta.dirname, tool), join(scratch, 'tools', tool))
  })

  function startWith(build: string) {
    if (existsSync(vite)) {
      writeFileSync(
        join(vite, 'vite.js'),
        `import { mkdirSync, writeFileSync } from 'node:fs'
         export async function build({ build: { outDir } }) { ${build} }`,
      )
    }
    const program = `
      const { ensureServer } = await import(${JSON.stringify(join(scratch, 'tools/build-server.ts'))})
      const { builder } = await import(await ensureServer())
      console.log(builder === process.pid ? 'same process' : 'another process')`
    return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  }

  test('a build that fails stops it', () => {
    const { status, stderr } = startWith('throw new Error("no room left")')
    expect(stderr).toContain('no room left')
    expect(stderr).toContain('build-server.ts ended with 1')
    expect(status).toBe(1)
  })

  test('the server is built in another process than it runs in, and anew from other contents', () => {
    const { status, stdout } = startWith(goodBuild)
    expect(stdout).toContain('another process')
    expect(status).toBe(0)
    const built = () => readFileSync(join(dist, 'server/main.js'), 'utf8')
    const first = built()
    expect(startWith(goodBuild).stdout).toBe('another process\n')
    expect(built()).toBe(first)
    write('src/main.ts', 'export const version = 3')
    expect(startWith(goodBuild).stdout).toContain('Building the server')
    expect(built()).not.toBe(first)
  })

  test('what killed builds have left is removed after an hour, and nothing else', () => {
    const long = new Date(Date.now() - 3_700_000)
    const left = ['server-17', 'server-17-old', 'server.sources.json-17']
    const other = ['server-18', 'server-mine', 'web-17', 'a-server-17']
    for (const name of [...left, ...other]) {
      mkdirSync(join(dist, name), { recursive: true })
      if (name !== 'server-18') utimesSync(join(dist, name), long, long)
    }
    expect(startWith(goodBuild).status).toBe(0)
    expect(readdirSync(dist).toSorted()).toEqual([...other, 'server', 'server.sources.json'].toSorted())
  })

  test('without build tools, it uses the build that is there, and says so if it is of other sources', () => {
    expect(startWith(goodBuild).status).toBe(0)
    rmSync(vite, { recursive: true })
    // As in an image, which leaves out what only builds need.
    rmSync(join(scratch, 'package-lock.json'))
    expect(startWith('')).toMatchObject({ status: 0, stdout: 'another process\n', stderr: '' })
    const otherSources = expect.stringMatching(
      /^The server in dist\/server is not built from the sources beside it, .* npm run build.*\n$/,
    ) as string
    write('src/main.ts', 'export const version = 3')
    expect(startWith('')).toMatchObject({ status: 0, stdout: 'another process\n', stderr: otherSources })
    write('src/main.ts', 'export const version = 2')
    rmSync(join(dist, 'server.sources.json'))
    expect(startWith('')).toMatchObject({ status: 0, stdout: 'another process\n', stderr: otherSources })
  })
})
