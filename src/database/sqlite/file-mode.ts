import { chmodSync, statSync } from 'node:fs'

const anyoneElse = 0o007

/**
 * Closes files that every user of the machine can read: a umask made them so, nobody's choice. SQLite gives the log the
 * mode of its database, so the umask of a later start is not enough. Access of a group alone is left as it is: operators
 * give it on purpose, to the user of a backup program.
 */
export function closeToOtherUsers(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-search', '-search-wal', '-search-shm', '.lock', '.owner']) {
    const found = statSync(file + ending, { throwIfNoEntry: false })
    if (!found || (found.mode & anyoneElse) === 0) continue
    try {
      chmodSync(file + ending, 0o600)
    } catch (error) {
      // A file of another user, who alone may change its mode.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    }
  }
}
