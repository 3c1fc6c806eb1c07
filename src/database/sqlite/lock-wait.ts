import { sqliteCode } from '../unavailable.ts'

const busy = 5
const pauseMs = 10

/** Longer than any backup or a hand at `sqlite3` should hold the lock. */
export const maxLockWaitMs = 5000

/** Another process has the lock. */
export const isLocked = (error: unknown): boolean => sqliteCode(error) === busy

/** SQLite's own waiting would stop everything else in this thread; this lets it go on. */
export const lockPause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))
