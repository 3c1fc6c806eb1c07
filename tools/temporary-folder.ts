import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
const prefix = 'signet-tests-'
/** The databases of a run take 7 GB, and its processes 3. */
const neededBytes = 12 * 2 ** 30

/**
 * Puts the temporary files of a test run in memory, if there is enough of it: hundreds of databases of a thousand files
 * each take a twentieth of the time. `TMPDIR` of the caller takes precedence.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return
  for (const name of readdirSync(inMemory)) if (isOfEndedRun(name)) remove(join(inMemory, name))
  const folder = join(inMemory, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // Not writable for others, but PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.once('exit', () => remove(folder))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= neededBytes && freemem() >= neededBytes
  } catch {
    return false
  }
}

function isOfEndedRun(name: string): boolean {
  if (!name.startsWith(prefix)) return false
  try {
    process.kill(Number(name.slice(prefix.length)), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })
