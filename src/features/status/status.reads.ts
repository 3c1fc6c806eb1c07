import type { Reader } from '#database/database.ts'

/** The days of every part from one on; days since 1970. */
export const listStatusDays = (db: Reader, firstDay: number) =>
  db.selectFrom('status_days').selectAll().where('day', '>=', firstDay).execute()

/** The oldest minute that is older than this one. */
export const oldestMinuteBefore = (db: Reader, minute: number) =>
  db
    .selectFrom('status_minutes')
    .select('minute')
    .where('minute', '<', minute)
    .orderBy('minute')
    .limit(1)
    .executeTakeFirst()
