import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildTool, isOutdated, root } from './outdated.ts'

const folder = join(root, 'dist/server')
const built = join(folder, 'main.js')
const sources = [
  'src/*.ts',
  'src/{contract,database,protocol,server}/**/*.ts',
  'src/features/**/*.ts',
  'package-lock.json',
]

/**
 * Puts the server and its packages into a few files, which start in half the time of some hundred (decision 010).
 * Gives the file to run: an installation without the build tools runs what is there, or the sources.
 */
export async function ensureServer(): Promise<string> {
  if (!isOutdated(built, sources)) return built
  const vite = await buildTool()
  if (!vite) return existsSync(built) ? built : join(root, 'src/main.ts')
  console.log('Building the server…')
  const fresh = `${folder}-${process.pid}`
  await vite.build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: fresh,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: { main: 'src/main.ts', 'report-worker': 'src/database/sqlite/report-worker.ts' },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
    ssr: { noExternal: true, external: ['pg-native'] },
  })
  putInPlace(fresh)
  return built
}

/** Whoever starts meanwhile finds the old files or the new, never half of them. */
function putInPlace(fresh: string): void {
  const old = `${fresh}-old`
  // Another process that started at the same time may have been faster.
  if (isOutdated(built, sources)) {
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(fresh, folder)
  }
  for (const left of [old, fresh]) rmSync(left, { recursive: true, force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureServer()
