import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its parents, for the user of the process only. Node's recursive `mkdir` never returns if the
 * system reports an existing parent as missing, as it does below `/proc`.
 */
export function createFolder(path: string): void {
  const folder = resolve(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(folder)
  if (!existsSync(parent)) createFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it at the same time.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
