import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(import.meta.dirname)
const built = join(root, 'dist/web/index.html')
const sources = [
  'src/web/**/*',
  'src/contract/*.ts',
  'src/features/*/web/**/*',
  'src/features/*/*.rules.ts',
  'vite.config.ts',
]

/** True when a source of the dashboard is newer than what was built from it. */
function isOutdated(): boolean {
  if (!existsSync(built)) return true
  const builtAt = statSync(built).mtimeMs
  return globSync(sources, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > builtAt)
}

/** Builds the dashboard where it is missing or outdated; an installation without the build tools uses what is there. */
export async function ensureDashboard(): Promise<void> {
  if (!isOutdated()) return
  const vite = await import('vite').catch(() => undefined)
  if (!vite) {
    if (existsSync(built)) return
    throw new Error('The dashboard is not built, and this installation has no build tools: run npm ci && npm run build')
  }
  console.log('Building the dashboard…')
  await vite.build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureDashboard()
