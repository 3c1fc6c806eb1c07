import type { Reader, Tx } from '#database/database.ts'
import { countEntitledUsers, deleteEntitlementsOfLevel } from './level-holders.queries.ts'

export const countUsersOfLevelIn = (db: Reader, appId: string, level: number): Promise<number> =>
  countEntitledUsers(db, appId, level)

/** Takes a level from up to `limit` users; what else they hold still counts. Gives from how many. */
export async function revokeLevel(
  tx: Tx,
  { appId, level, limit }: { appId: string; level: number; limit: number },
): Promise<number> {
  tx.publish(`access:${appId}`)
  return deleteEntitlementsOfLevel(tx.db, appId, level, limit)
}
