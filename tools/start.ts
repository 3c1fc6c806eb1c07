import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { ensureDashboard } from './build-dashboard.ts'

// The second start reads compiled code instead of TypeScript.
enableCompileCache(join(import.meta.dirname, '../.cache/compiled'))
await ensureDashboard()
await import('../src/main.ts')
// Written down while it runs: a server that is killed starts as fast the next time.
setTimeout(flushCompileCache, 3000).unref()
