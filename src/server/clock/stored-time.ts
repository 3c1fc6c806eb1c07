import type { Database } from '#database/database.ts'
import { databaseTime } from '#database/engine-differences.ts'
import type { Logger } from 'pino'
import type { ServerClock } from './server-clock.ts'

interface TimedDatabase {
  db: Database
  /** Epoch milliseconds. */
  clock: () => number
}

/** The server's time, stored every minute, so that the next start notices a machine clock that was set back. */
export interface ServerTimeTable {
  id: number
  /** Epoch milliseconds. */
  at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    server_time: ServerTimeTable
  }
}

const writeEveryMs = 60_000
/** A larger difference between the clocks of this machine and the database server is logged. */
const maxSkewMs = 2000

export async function findStoredTime(db: Database): Promise<number | undefined> {
  const row = await db.read.selectFrom('server_time').select('at').where('id', '=', 1).executeTakeFirst()
  return row?.at
}

export async function storeTime({ db, clock }: TimedDatabase): Promise<void> {
  const at = clock()
  await db.write(({ db: trx }) =>
    trx
      .insertInto('server_time')
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
      .execute(),
  )
}

/** How far this server's time is ahead of the database server's, in milliseconds; SQLite has no clock of its own. */
export async function databaseSkew({ db, clock }: TimedDatabase): Promise<number> {
  const before = clock()
  const at = await databaseTime(db.read)
  // The time in the reply is assumed to be halfway between request and reply.
  return at === undefined ? 0 : Math.round((before + clock()) / 2 - at)
}

/** Continues from the stored time and stores the time every minute from then on; returns a function that stops it. */
export async function persistTime(
  services: TimedDatabase & { log: Logger; time: ServerClock },
): Promise<() => Promise<void>> {
  const { db, log, time } = services
  const written = await findStoredTime(db)
  if (written !== undefined) time.resume(written)
  const write = () =>
    storeTime(services).catch((error: unknown) => log.error({ err: error }, 'could not store the time'))
  const compare = async () => {
    const skewMs = await databaseSkew(services).catch(() => 0)
    if (Math.abs(skewMs) > maxSkewMs) {
      log.warn({ skewMs }, 'the clocks of this machine and of the database server differ')
    }
  }
  await write()
  await compare()
  const timer = setInterval(() => void write().then(compare), writeEveryMs).unref()
  return async () => {
    clearInterval(timer)
    await write()
  }
}
