import { sql } from 'kysely'
import type { Transaction } from '#database/database.ts'
import type { MeasuredState } from '#contract/status-parts.ts'
import { locking } from '#database/row-lock.ts'
import { isWorse } from './status.rules.ts'
import type { StatusDaysTable, StatusMinutesTable } from './status.table.ts'

const minutesOfDay = 1440

/**
 * Counts a measured minute of a part in its day only once, even if several processes write it. A minute that is
 * already stored can only become worse.
 */
export async function countMinute(db: Transaction, measured: StatusMinutesTable): Promise<void> {
  const { minute, part, state } = measured
  const added = await db
    .insertInto('status_minutes')
    .values(measured)
    .onConflict((conflict) => conflict.columns(['minute', 'part']).doNothing())
    .executeTakeFirst()
  const day = Math.floor(minute / minutesOfDay)
  if (Number(added.numInsertedOrUpdatedRows ?? 0) > 0) return addToDay(db, { day, part }, { [state]: 1 })
  const found = db.selectFrom('status_minutes').select('state').where('minute', '=', minute).where('part', '=', part)
  const before = await locking(db, found).executeTakeFirst()
  if (!before || !isWorse(state, before.state)) return
  await db.updateTable('status_minutes').set({ state }).where('minute', '=', minute).where('part', '=', part).execute()
  await addToDay(db, { day, part }, { [before.state]: -1, [state]: 1 })
}

async function addToDay(
  db: Transaction,
  key: Pick<StatusDaysTable, 'day' | 'part'>,
  { ok = 0, degraded = 0, down = 0 }: Partial<Record<MeasuredState, number>>,
): Promise<void> {
  await db
    .insertInto('status_days')
    .values({ ...key, ok, degraded, down })
    .onConflict((conflict) =>
      conflict.columns(['day', 'part']).doUpdateSet({
        ok: sql<number>`status_days.ok + excluded.ok`,
        degraded: sql<number>`status_days.degraded + excluded.degraded`,
        down: sql<number>`status_days.down + excluded.down`,
      }),
    )
    .execute()
}

export const deleteMinute = (db: Transaction, minute: number) =>
  db.deleteFrom('status_minutes').where('minute', '=', minute).execute()

export const deleteDay = (db: Transaction, day: number) => db.deleteFrom('status_days').where('day', '=', day).execute()
