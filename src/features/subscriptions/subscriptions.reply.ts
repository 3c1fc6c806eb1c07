import type { Static } from 'typebox'
import type { Database } from '#database/database.ts'
import { countUsersOfLevelIn } from '#features/users/level-holders.actions.ts'
import { subscriptionReply } from './subscription-reply.ts'
import type { SubscriptionReply } from './subscriptions.contract.ts'
import { listLevelsWithUsers, type Subscription } from './subscriptions.queries.ts'

export type DescribedLevel = Static<typeof SubscriptionReply>

/** An app's levels as the wire has them, lowest first. */
export async function describeLevels(db: Database, appId: string): Promise<DescribedLevel[]> {
  const rows = await listLevelsWithUsers(db.reports, appId)
  return rows.map((row) => subscriptionReply(row, Number(row.user_count ?? 0)))
}

export const describeLevel = (row: Subscription, userCount: number): DescribedLevel => subscriptionReply(row, userCount)

/** How many users hold a level; it may take long. */
export const countUsersOfLevel = (db: Database, appId: string, level: number): Promise<number> =>
  countUsersOfLevelIn(db.reports, appId, level)
