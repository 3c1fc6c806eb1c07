import { sqliteCode } from '../unavailable.ts'

const busy = 5
const pauseMs = 10

/** Longer than a backup or a manual `sqlite3` session should hold the lock. */
export const maxLockWaitMs = 5000

/** Another process holds the lock. */
export const isLocked = (error: unknown): boolean => sqliteCode(error) === busy

/** SQLite's own waiting would block this thread; this does not. */
export const lockPause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))

/** For the start of a process, before it serves anybody. */
export const blockingLockPause = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}
