import type { Unit } from '#database/database.ts'
import { updateSelectedApp } from './account-sessions.queries.ts'

/** Remembers the app a session works on, for calls that don't name one. */
export const selectAppOfSession = (unit: Unit, sessionHash: string, appId: string): Promise<void> =>
  updateSelectedApp(unit.trx, sessionHash, appId)
