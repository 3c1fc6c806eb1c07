import type { StatusPart } from '#contract/status-parts.ts'
import type { Reader } from '#database/database.ts'

/** The days of all parts from `firstDay` on, in days since 1970. */
export const listStatusDays = (db: Reader, firstDay: number) =>
  db.selectFrom('status_days').selectAll().where('day', '>=', firstDay).execute()

/** The first minute of a day in which a part was measured; minutes are kept for three days. */
export async function findFirstMinute(reports: Reader, part: StatusPart, day: number): Promise<number | undefined> {
  const row = await reports
    .selectFrom('status_minutes')
    .select('minute')
    .where('part', '=', part)
    .where('minute', '>=', day * 1440)
    .where('minute', '<', (day + 1) * 1440)
    .orderBy('minute')
    .limit(1)
    .executeTakeFirst()
  return row && Number(row.minute)
}

/** The oldest minute before `minute`. */
export const oldestMinuteBefore = (db: Reader, minute: number) =>
  db
    .selectFrom('status_minutes')
    .select('minute')
    .where('minute', '<', minute)
    .orderBy('minute')
    .limit(1)
    .executeTakeFirst()
