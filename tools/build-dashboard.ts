import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasBuildTool, isOutdated, root, runBuild } from './outdated.ts'

const script = fileURLToPath(import.meta.url)
const built = join(root, 'dist/web/index.html')
const sources = [
  'src/web/**/*',
  'src/contract/*.ts',
  'src/features/*/web/**/*',
  'src/features/*/*.{rules,contract,errors}.ts',
  'tools/code-texts*.ts',
  'tools/{start-script,route-pages}.ts',
  'vite.config.ts',
]

/** Builds the dashboard if it is missing or outdated; an installation without the build tools uses the existing one. */
export async function ensureDashboard(): Promise<void> {
  if (!isOutdated(built, sources)) return
  if (hasBuildTool()) return runBuild(script)
  if (existsSync(built)) return
  throw new Error('The dashboard is not built, and this installation has no build tools: run npm ci && npm run build')
}

async function buildDashboard(): Promise<void> {
  if (!isOutdated(built, sources)) return
  console.log('Building the dashboard…')
  const { build } = await import('vite')
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
}

if (process.argv[1] === script) await buildDashboard()
