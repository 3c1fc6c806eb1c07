import type { Reader } from '#database/database.ts'
import { countUsersOfApps } from './user-totals.queries.ts'

/** How many users each of these apps has; an app without any is left out. */
export const countUsersByApp = (db: Reader, appIds: readonly string[]): Promise<Map<string, number>> =>
  countUsersOfApps(db, appIds)
