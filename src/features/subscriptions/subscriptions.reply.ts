import type { Static } from 'typebox'
import type { Database } from '#database/database.ts'
import type { Level } from '#features/levels/levels.reads.ts'
import type { SubscriptionReply } from './subscriptions.contract.ts'
import { listLevelsWithUsers } from './subscriptions.reads.ts'

/** A level as the API returns it. */
export const subscriptionReply = (
  { level, name, active }: Level,
  userCount: number,
): Static<typeof SubscriptionReply> => ({ level, name, active: active === 1, userCount })

export type DescribedLevel = Static<typeof SubscriptionReply>

/** An app's levels as the API returns them, lowest first. */
export async function describeLevels(db: Database, appId: string): Promise<DescribedLevel[]> {
  const rows = await listLevelsWithUsers(db.reports, appId)
  return rows.map((row) => subscriptionReply(row, Number(row.user_count ?? 0)))
}
