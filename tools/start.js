import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * `npm start`. In JavaScript, because a process that has read a TypeScript file keeps Node's type stripper in memory:
 * 15 MB that an idle server doesn't need.
 */

const root = dirname(import.meta.dirname)
const majorOf = (version) => Number(version.split('.')[0])
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
if (majorOf(process.versions.node) < majorOf(dependencies.node)) {
  console.error(
    `Signet needs Node ${dependencies.node}, but runs on ${process.versions.node}: use npm start, or node_modules/.bin/node`,
  )
  process.exit(1)
}
// An older Node lacks them.
const { enableCompileCache, flushCompileCache } = await import('node:module')
const cache = join(root, '.cache/compiled')
const prepared = spawnSync(process.execPath, [join(import.meta.dirname, 'prepare-start.ts')], {
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: cache },
})
if (prepared.status !== 0) process.exit(prepared.status ?? 1)
// Later starts read compiled code from the cache.
enableCompileCache(cache)
const built = join(root, 'dist/server/main.js')
await import(pathToFileURL(existsSync(built) ? built : join(root, 'src/main.ts')).href)
// Written at runtime, so that even a killed server starts fast the next time.
setTimeout(flushCompileCache, 3000).unref()
