import type { Unit } from '#database/database.ts'
import { forgetOldFailures } from '#server/login-throttle.ts'
import { deleteEndedSessions, updateSelectedApp } from './account-sessions.queries.ts'

/** Remembers the app a session works on, for calls that don't name one. */
export const selectAppOfSession = (unit: Unit, sessionHash: string, appId: string): Promise<void> =>
  updateSelectedApp(unit.trx, sessionHash, appId)

/** Removes sessions that have expired and counts of failed sign-ins that no longer matter. */
export async function forgetEndedSessions(unit: Unit, now: number): Promise<void> {
  await deleteEndedSessions(unit.trx, now)
  await forgetOldFailures(unit, now)
}
