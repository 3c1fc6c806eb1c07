import type { Reader, Unit } from '#database/database.ts'
import { countHolders, deleteHoldings } from './level-holders.queries.ts'

export const countHoldersOfLevel = (db: Reader, appId: string, level: number): Promise<number> =>
  countHolders(db, appId, level)

/** Takes a level from up to `limit` users; what else they hold still counts. Gives from how many. */
export async function takeLevelFromUsers(
  unit: Unit,
  { appId, level, limit }: { appId: string; level: number; limit: number },
): Promise<number> {
  unit.announce(`access:${appId}`)
  return deleteHoldings(unit.trx, appId, level, limit)
}
