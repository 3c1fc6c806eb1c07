import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseUnavailable } from '../unavailable.ts'
import { isLocked } from './lock-wait.ts'
import { takeBack } from './set-aside.ts'

/** Another process is serving this database. */
export class DatabaseInUse extends DatabaseUnavailable {}

interface Owner {
  pid: number
  host: string
  since: string
}

/**
 * Claims a database file for this process, or throws `DatabaseInUse`. The claim is an operating system lock on
 * `<file>.lock`, which ends with the process in any case, so that no stale lock remains; `<file>.owner` only names the
 * owner. Also undoes what a killed restore has left. Returns a function that releases the lock.
 */
export function claimDatabaseFile(file: string): () => void {
  const unlock = lockFile(`${file}.lock`)
  if (!unlock) {
    throw new DatabaseInUse(
      `${file} is served by another Signet (${ownerOf(file)}). Stop that one first, or set DATA_DIR to another ` +
        'folder. Several processes on one database need PostgreSQL (DATABASE_URL).',
    )
  }
  takeBack(file)
  const owner: Owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  writeFileSync(`${file}.owner`, JSON.stringify(owner), { mode: 0o600 })
  return () => {
    rmSync(`${file}.owner`, { force: true })
    unlock()
  }
}

/** Locks a file, which is created if necessary and stays; undefined if another process has the lock. Returns its release. */
export function lockFile(path: string): (() => void) | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (isLocked(error)) return undefined
    throw error
  }
}

function ownerOf(file: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(`${file}.owner`, 'utf8')) as Owner
    return `process ${pid} on ${host}, since ${since}`
  } catch {
    return 'it has not said which'
  }
}
