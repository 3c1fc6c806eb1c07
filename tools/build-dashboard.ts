import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Build, ensureBuild, hashSources, isOutdated, replaceBuild, root } from './outdated.ts'

const script = fileURLToPath(import.meta.url)
const dashboard: Build = {
  name: 'The dashboard',
  folder: join(root, 'dist/web'),
  built: join(root, 'dist/web/index.html'),
  sources: [
    'src/web/**/*',
    'src/contract/*.ts',
    'src/features/*/web/**/*',
    'src/features/*/*.{rules,contract,errors}.ts',
    'sdks/typescript/src/version.ts',
    'tools/{build-dashboard,lingui-inline-source,precompress,route-pages,start-script}.ts',
    'tools/{code-texts,seller-calls}*.ts',
    '{lingui,vite}.config.ts',
    'package-lock.json',
  ],
}

/** Builds the dashboard if it is missing or outdated; an installation without the build tools uses the existing one. */
export async function ensureDashboard(): Promise<void> {
  await ensureBuild(dashboard, script)
  if (existsSync(dashboard.built)) return
  throw new Error('The dashboard is not built, and this installation has no build tools: run npm ci && npm run build')
}

async function buildDashboard(): Promise<void> {
  const sources = hashSources(dashboard)
  if (!isOutdated(dashboard, sources)) return
  console.log('Building the dashboard…')
  const { build } = await import('vite')
  await replaceBuild(dashboard, sources, () => build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' }))
}

if (process.argv[1] === script) await buildDashboard()
