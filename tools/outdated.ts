import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(import.meta.dirname)

/** True when `built` is missing or one of its sources is newer. */
export function isOutdated(built: string, sources: readonly string[]): boolean {
  if (!existsSync(built)) return true
  const builtAt = statSync(built).mtimeMs
  return globSync([...sources], { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > builtAt)
}

/** The build tool; `undefined` in an installation without the packages for development. */
export const buildTool = () => import('vite').catch(() => undefined)
