import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Build,
  ensureBuild,
  freshFolder,
  hashSources,
  isOutdated,
  replaceBuild,
  root,
  type SourceHashes,
} from './outdated.ts'

const script = fileURLToPath(import.meta.url)
const folder = join(root, 'dist/server')
const built = join(folder, 'main.js')
const server: Build = {
  name: 'The server',
  folder,
  built,
  sources: [
    'src/*.ts',
    'src/{contract,database,protocol,server}/**/*.ts',
    'src/features/**/*.ts',
    'tools/build-server.ts',
    'package.json',
    'package-lock.json',
  ],
}

/**
 * Bundles the server and its packages into a few files, which start in half the time of several hundred (decision 010).
 * Returns the file to run: an installation without the build tools runs the existing build, or the sources.
 */
export async function ensureServer(): Promise<string> {
  await ensureBuild(server, script)
  return existsSync(built) ? built : join(root, 'src/main.ts')
}

async function buildOutdated(): Promise<void> {
  const sources = hashSources(server)
  if (!isOutdated(server, sources)) return
  console.log('Building the server…')
  const fresh = freshFolder(server)
  await buildServer(fresh)
  await putInPlace(fresh, sources)
}

/**
 * Node keeps the source of what it has loaded, with two bytes for each character if a single one isn't ASCII: 3.5 MB of
 * memory. Escaped, a character is the same to the program, in strings and in patterns.
 */
const onlyAscii = {
  name: 'only-ascii',
  generateBundle(_options: unknown, bundle: Record<string, { code?: string }>) {
    for (const file of Object.values(bundle)) {
      if (file.code === undefined) continue
      // Its backslash would escape that of the replacement.
      if (/\\[^\0-\x7f]/.test(file.code)) throw new Error('The build escapes a character that is not ASCII')
      file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}

/** Builds into an empty folder; requires the build tools. */
export async function buildServer(folder: string, { minify = false } = {}): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    plugins: [onlyAscii],
    root,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      // The licenses of all bundled packages, as they require.
      license: { fileName: 'third-party-notices.md' },
      target: 'node24',
      minify,
      rolldownOptions: {
        input: {
          main: 'src/main.ts',
          'report-worker': 'src/database/sqlite/report-worker.ts',
          'checkpoint-worker': 'src/database/sqlite/checkpoint-worker.ts',
          'bcrypt-worker': 'src/server/passwords/bcrypt-worker.ts',
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
    ssr: { noExternal: true, external: ['pg-native'] },
  })
}

/** Replaces the build by renaming folders, so that a server that starts meanwhile never finds a half-written build. */
async function putInPlace(fresh: string, sources: SourceHashes): Promise<void> {
  const old = `${fresh}-old`
  // Another process that started at the same time may have been first.
  if (isOutdated(server, sources)) {
    await replaceBuild(server, sources, () => {
      if (existsSync(folder)) renameSync(folder, old)
      renameSync(fresh, folder)
    })
  }
  for (const left of [old, fresh]) rmSync(left, { recursive: true, force: true })
}

if (process.argv[1] === script) await buildOutdated()
