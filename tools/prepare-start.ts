import { ensureClients } from './build-clients.ts'
import { ensureDashboard } from './build-dashboard.ts'
import { ensureDocs } from './build-docs.ts'
import { ensureServer } from './build-server.ts'

/** Builds what is missing or outdated before `start.js` runs the server, in a process that ends then. */

// Beside the others, on a second core. A server is useful without its documentation.
const docs = ensureDocs().catch((error: unknown) => console.error(`There will be no /docs: ${String(error)}`))
try {
  await ensureDashboard()
  await ensureClients()
  await ensureServer()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
await docs
