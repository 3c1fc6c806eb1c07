import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureDashboard } from './build-dashboard.ts'
import { ensureServer } from './build-server.ts'
import { sizeThreadPool } from '../src/server/thread-pool.ts'
import { root } from './outdated.ts'

if (existsSync('.env')) loadEnvFile('.env')
// Before anything uses the pool.
sizeThreadPool()
// The second start reads compiled code.
enableCompileCache(join(root, '.cache/compiled'))
await ensureDashboard()
await import(pathToFileURL(await ensureServer()).href)
// Written down while it runs: a server that is killed starts as fast the next time.
setTimeout(flushCompileCache, 3000).unref()
