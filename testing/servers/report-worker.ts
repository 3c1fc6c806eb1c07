import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/**
 * Global setup of Vitest: bundles the threads for reports. Tests start hundreds of them, and each would load and convert
 * their TypeScript files again.
 */
export default async function setup(): Promise<() => void> {
  const root = join(import.meta.dirname, '../..')
  const outDir = join(root, `node_modules/.cache/report-worker-${process.pid}`)
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      minify: false,
      rolldownOptions: { input: { worker: 'src/database/sqlite/report-worker.ts' } },
    },
    ssr: { noExternal: true },
  })
  process.env['TEST_REPORT_WORKER'] = join(outDir, 'worker.js')
  return () => rmSync(outDir, { recursive: true, force: true })
}
