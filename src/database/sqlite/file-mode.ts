import { chmodSync, statSync } from 'node:fs'

const anyoneElse = 0o007

/**
 * Removes access of other users to files that an earlier umask left readable. SQLite gives the log the mode of its
 * database, so the umask of a later start is not enough. Group access is kept: operators grant it on purpose, for
 * example to a backup user.
 */
export function denyOtherUsers(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-search', '-search-wal', '-search-shm', '.lock', '.owner']) {
    const found = statSync(file + ending, { throwIfNoEntry: false })
    if (!found || (found.mode & anyoneElse) === 0) continue
    try {
      chmodSync(file + ending, 0o600)
    } catch (error) {
      // The file belongs to another user, who alone may change its mode.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    }
  }
}
