import type { Database } from '#database/database.ts'

/** The answer to a call, right before whose transaction with this number somebody else acts. */
export async function answerWithAct<T>(
  { services }: { services: { db: Database } },
  { number, act }: { number: number; act: () => Promise<unknown> },
  call: () => Promise<T>,
): Promise<T> {
  const { db } = services
  services.db = beforeWrite(db, number, async () => {
    services.db = db
    await act()
  })
  try {
    return await call()
  } finally {
    services.db = db
  }
}

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
