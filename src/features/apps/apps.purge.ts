import { sql } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { deleteBatch } from '#database/delete-rows.ts'
import type { Feature } from '#server/http/endpoint.ts'
import type { Services } from '#server/services.ts'
import { listDeletedApps } from './apps.reads.ts'
import { deleteAppRow, lockAppRow } from './apps.writes.ts'

const rowsPerTransaction = 2000

interface Purge {
  tables: readonly string[]
  running: Promise<void> | undefined
  stopped: boolean
}

const purges = new WeakMap<Services, Purge>()

/** Resumes, after a restart, what an earlier run left; returns a function that stops it. */
export async function startPurging(services: Services, features: readonly Feature[]): Promise<() => Promise<void>> {
  const purge: Purge = {
    tables: features.flatMap((feature) => feature.appTables ?? []),
    running: undefined,
    stopped: false,
  }
  purges.set(services, purge)
  void purgeDeletedApps(services)
  return async () => {
    purge.stopped = true
    await purge.running
  }
}

/** Deletes the rows of deleted apps in small transactions, so that other calls run in between. */
export function purgeDeletedApps(services: Services): Promise<void> {
  const purge = purges.get(services)
  if (!purge || purge.stopped) return Promise.resolve()
  purge.running = (purge.running ?? Promise.resolve())
    .then(() => purgeAll(services, purge))
    .catch((error: unknown) => services.log.error({ err: error }, 'could not remove a deleted app'))
  return purge.running
}

async function purgeAll({ db }: Services, purge: Purge): Promise<void> {
  for (const { id } of await listDeletedApps(db.read)) {
    for (const table of purge.tables) {
      let removed = rowsPerTransaction
      while (removed === rowsPerTransaction && !purge.stopped) {
        removed = await db.write(({ db: trx }) => deleteBatch(trx, table, sql`app_id = ${id}`, rowsPerTransaction))
      }
    }
    if (purge.stopped) return
    await db.write(({ db: trx }) => deleteRest(trx, id, purge.tables))
  }
}

/** Deletes the app with what calls that had begun before its deletion have written since: not all rows refer to it. */
async function deleteRest(trx: Transaction, id: string, tables: readonly string[]): Promise<void> {
  await lockAppRow(trx, id)
  for (const table of tables) {
    while ((await deleteBatch(trx, table, sql`app_id = ${id}`, rowsPerTransaction)) === rowsPerTransaction);
  }
  await deleteAppRow(trx, id)
}
