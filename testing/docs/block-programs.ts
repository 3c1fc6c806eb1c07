import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { newWorld, type World } from './needs.ts'
import { outputProblem, type RunBlock, withValues } from './run-blocks.ts'
import type { TestApp } from '#testing/start-test-app.ts'

const mostSeconds = 60

/** Packages of the clients, as a server offers them, by file name. */
export type ClientPackages = ReadonlyMap<string, Uint8Array>

const commandsIn = (folder: string): string => join(folder, 'node_modules/.bin')

/** Places the packages where the blocks' programs find them; `unpack` reads a tar archive. */
export function installClients(
  folder: string,
  packages: ClientPackages,
  unpack: (archive: Buffer) => ReadonlyMap<string, Uint8Array>,
): void {
  for (const [name, content] of packages) {
    if (name.endsWith('.whl')) writeFileSync(join(folder, 'signet.whl'), content)
    if (!name.endsWith('.tgz')) continue
    const files = unpack(gunzipSync(content))
    const manifest = Buffer.from(files.get('package/package.json') ?? []).toString()
    const { name: packageName, bin = {} } = JSON.parse(manifest) as { name: string; bin?: Record<string, string> }
    const place = join(folder, 'node_modules', packageName)
    for (const [path, bytes] of files) {
      const file = join(place, path.replace(/^package\//, ''))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
    }
    mkdirSync(commandsIn(folder), { recursive: true })
    for (const [command, path] of Object.entries(bin)) {
      chmodSync(join(place, path), 0o755)
      symlinkSync(join(place, path), join(commandsIn(folder), command))
    }
  }
}

const programs: Record<RunBlock['language'], { file: string; command: string }> = {
  python: { file: 'program.py', command: process.env['SIGNET_PYTHON'] ?? 'python3' },
  ts: { file: 'program.ts', command: process.execPath },
  sh: { file: 'commands.sh', command: 'sh' },
}

/** Runs a block as a customer of the page would; returns what is wrong with it, with page and line. */
export async function blockProblem(block: RunBlock, app: TestApp, folder: string): Promise<string | undefined> {
  const world = await newWorld(app, block.needs).catch((error: Error) => {
    throw new Error(`${block.page}:${block.line}: ${error.message}`)
  })
  try {
    const filled = withValues(block, world.values)
    return outputProblem(filled, await printedBy(filled, world, folder))
  } finally {
    for (const close of world.close) await close()
  }
}

/** What a block prints on both outputs, in their order. */
function printedBy({ language, code }: RunBlock, world: World, folder: string): Promise<string> {
  const { file, command } = programs[language]
  const place = mkdtempSync(join(folder, 'block-'))
  writeFileSync(join(place, file), code)
  const environment = {
    PATH: `${commandsIn(folder)}:${process.env['PATH']}`,
    PYTHONPATH: join(folder, 'signet.whl'),
    PYTHONUNBUFFERED: '1',
    no_proxy: '*',
    // Of the command line.
    XDG_CONFIG_HOME: place,
  }
  const later = [...world.later]
  let acting: Promise<unknown> = Promise.resolve()
  let output = ''
  return new Promise((done, fail) => {
    const child = spawn(command, [file], { cwd: place, env: { ...process.env, ...environment } })
    const stop = () => child.kill('SIGKILL')
    const late = setTimeout(() => {
      output += `[stopped after ${mostSeconds} s]\n`
      stop()
    }, mostSeconds * 1000)
    const hear = (chunk: Buffer) => {
      output += String(chunk)
      while (later[0] && output.includes(later[0].text)) {
        const { action } = later.shift() as World['later'][number]
        acting = acting.then(action)
        acting.catch(stop)
      }
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', fail)
    child.on('close', () => {
      clearTimeout(late)
      acting.then(() => done(output), fail)
    })
    child.stdin.end()
  })
}
