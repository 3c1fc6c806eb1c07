import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureClients } from './build-clients.ts'
import { ensureDocs } from './build-docs.ts'
import { ensureDashboard } from './build-dashboard.ts'
import { ensureServer } from './build-server.ts'
import { sizeThreadPool } from '../src/server/passwords/thread-pool.ts'
import { root } from './outdated.ts'

if (existsSync('.env')) loadEnvFile('.env')
// Must run before anything uses the thread pool.
sizeThreadPool()
// Later starts read compiled code from the cache.
enableCompileCache(join(root, '.cache/compiled'))
// Beside the others, on a second core. A server is useful without its documentation.
const docs = ensureDocs().catch((error: unknown) => console.error(`There will be no /docs: ${String(error)}`))
await ensureDashboard()
await ensureClients()
const server = await ensureServer()
await docs
await import(pathToFileURL(server).href)
// Written at runtime, so that even a killed server starts fast the next time.
setTimeout(flushCompileCache, 3000).unref()
