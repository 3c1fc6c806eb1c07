import type pg from 'pg'

const indexes = ['licenses_search', 'users_search']
const pauseMs = 2000

export interface PendingLists {
  /** A transaction has committed. */
  changed: () => void
  /** Resolves when what was committed before is in the search indexes. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * PostgreSQL adds the words of new rows to a list at the end of a search index. The write that fills the list moves all of
 * it into the index, which took 400 ms, and searches read the whole list. So this moves it shortly after writes instead.
 */
export function cleanPendingLists(pool: pg.Pool, onError: (error: unknown) => void = () => {}): PendingLists {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failed = false
  let current = Promise.resolve()

  async function clean(): Promise<void> {
    try {
      // In a statement each, so that a migration never waits for one of them and keeps another waiting.
      for (const index of indexes) await pool.query('select gin_clean_pending_list($1::regclass)', [index])
      failed = false
    } catch (error) {
      // Nothing is lost: a full list is moved by the next write, and any list by autovacuum.
      if (!failed) onError(error)
      failed = true
    }
  }

  /** One after the other: of two at once, the second would wait for the first. */
  function cleanNow(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return (current = current.then(clean))
  }

  return {
    changed() {
      if (!stopped) timer ??= setTimeout(() => void cleanNow(), pauseMs).unref()
    },
    settled: () => (timer ? cleanNow() : current),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await current
    },
  }
}
