import type { Database } from '#database/database.ts'

/** The database of a server, right before whose transaction with this number somebody else acts. */
export function beforeWrite(db: Database, number: number, act: () => Promise<unknown>): Database {
  let count = 0
  return {
    ...db,
    searched: db.searched.bind(db),
    write: async (work) => {
      count += 1
      if (count === number) await act()
      return db.write(work)
    },
  }
}
