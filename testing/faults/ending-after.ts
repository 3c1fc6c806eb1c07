import type { Database } from '#database/database.ts'

/** The database of a server that ends during the transaction after so many. */
export function endingAfter(db: Database, last: number): Database {
  let count = 0
  return {
    ...db,
    searched: db.searched.bind(db),
    write: (work) =>
      db.write(async (tx) => {
        const result = await work(tx)
        count += 1
        if (count > last) throw new Error('the server has ended')
        return result
      }),
  }
}
