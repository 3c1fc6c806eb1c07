import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseUnusable } from '../unusable.ts'

/** Keeping the database that a restore replaces, so that a restore that is killed at any time leaves it whole. */

const infix = '.before-'
const logOf = (file: string): string => `${file}-wal`
const sharedMemoryOf = (file: string): string => `${file}-shm`

/** A name for the copy of a database that is replaced at `now`, in epoch seconds. */
export function copyName(file: string, now: number, suffix = ''): string {
  const path = `${file}${infix}${now}${suffix}`
  return existsSync(path) ? copyName(file, now, `-${Number(suffix.slice(1) || 1) + 1}`) : path
}

/**
 * Gives a closed database a second name, and its write-ahead log only that name: left behind, it would be mistaken for
 * that of the next database. Until the next database takes the first name, `takeBack` undoes it.
 */
export function setAside(file: string, copy: string): void {
  linkSync(file, copy)
  for (const nameOf of [logOf, sharedMemoryOf]) {
    if (existsSync(nameOf(file))) renameSync(nameOf(file), nameOf(copy))
  }
}

/** Undoes what a killed restore has set aside and not replaced. The file is locked. */
export function takeBack(file: string): void {
  for (const copy of copiesNotReplaced(file)) {
    if (isWithoutItsLog(file, copy)) renameSync(logOf(copy), logOf(file))
    rmSync(sharedMemoryOf(copy), { force: true })
    rmSync(copy)
  }
}

/** Throws `DatabaseUnusable` for a database without its log, which a command that doesn't lock the file can't take back. */
export function rejectSetAside(file: string): void {
  if (copiesNotReplaced(file).some((copy) => isWithoutItsLog(file, copy))) {
    throw new DatabaseUnusable(
      `A restore of ${file} is running or was interrupted: wait for its end, or repeat it, or start Signet to go on ` +
        'with the data of before',
    )
  }
}

const isWithoutItsLog = (file: string, copy: string): boolean => existsSync(logOf(copy)) && !existsSync(logOf(file))

/** Second names of the database that still has the first one. */
function copiesNotReplaced(file: string): string[] {
  const { ino, dev } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {}
  if (ino === undefined) return []
  const folder = dirname(file)
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(file) + infix))
    .map((name) => join(folder, name))
    .filter((copy) => {
      const found = statSync(copy, { bigint: true, throwIfNoEntry: false })
      return found?.ino === ino && found.dev === dev
    })
}
