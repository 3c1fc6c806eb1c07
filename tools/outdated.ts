import { existsSync, globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { runCommand } from './run-command.ts'

export const root = dirname(import.meta.dirname)

/** True if `built` is missing or one of its sources is newer. */
export function isOutdated(built: string, sources: readonly string[]): boolean {
  if (!existsSync(built)) return true
  const builtAt = statSync(built).mtimeMs
  return globSync([...sources], { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > builtAt)
}

/** Some installations omit development packages. */
export function hasBuildTool(): boolean {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

/** Runs a build in a separate process, so that its memory, several times that of a server, is freed. */
export async function runBuild(script: string, ...args: string[]): Promise<void> {
  const { code } = await runCommand(process.execPath, [script, ...args], { group: true })
  if (code !== 0) throw new Error(`${basename(script)} ended with ${code}`)
}
