import { sql } from 'kysely'
import type { Transaction } from '#database/database.ts'
import type { AppHour } from './overview.reads.ts'
import type { ActivityHoursTable, ActivityUsersTable } from './overview.table.ts'

/** Returns false if another process has advanced the progress meanwhile. */
export async function advanceProgress(db: Transaction, { from, to }: { from: number; to: number }): Promise<boolean> {
  const moved = await db
    .updateTable('activity_progress')
    .set({ counted_id: to })
    .where('id', '=', 1)
    .where('counted_id', '=', from)
    .executeTakeFirst()
  return Number(moved.numUpdatedRows) === 1
}

export const setSeen = (db: Transaction, seenId: number) =>
  db.updateTable('activity_progress').set({ seen_id: seenId }).where('id', '=', 1).execute()

/** The given apps that still exist. */
export async function presentApps(db: Transaction, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('apps')
    .select('id')
    .where('id', 'in', [...appIds])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const addToHours = (db: Transaction, rows: readonly ActivityHoursTable[]) =>
  db
    .insertInto('activity_hours')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'hour', 'metric', 'label'])
        .doUpdateSet({ count: sql<number>`activity_hours.count + excluded.count` }),
    )
    .execute()

export const addUsers = (db: Transaction, rows: readonly ActivityUsersTable[]) =>
  db
    .insertInto('activity_users')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['app_id', 'hour', 'username_key']).doNothing())
    .execute()

export const setLastHours = (db: Transaction, rows: readonly ActivityUsersTable[]) =>
  db
    .insertInto('activity_last')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'username_key'])
        .doUpdateSet({ hour: sql<number>`excluded.hour` })
        .whereRef('excluded.hour', '>', 'activity_last.hour'),
    )
    .execute()

/** Deletes an app's rows of one hour from the table. */
export const deleteHour = (db: Transaction, { table, app_id, hour }: AppHour) =>
  db.deleteFrom(table).where('app_id', '=', app_id).where('hour', '=', hour).execute()
