import type { Reader, Tx } from '#database/database.ts'
import { unitSeconds } from '#contract/duration.ts'
import { maxEpochSeconds } from '#contract/fields.ts'
import { refuse } from '#contract/refusals.ts'
import { lockLevel } from '#features/subscriptions/subscriptions.actions.ts'
import { deleteEntitlement, updateEntitlementExpiry, upsertGrant } from './user-subscriptions.queries.ts'
import { type EntitlementTime, listEntitlements } from './user-time.queries.ts'
import type { User } from './users.queries.ts'
import { userSubscriptionsRefusals } from './users.refusals.ts'
import { secondsLeft, userClock } from './users.rules.ts'

export const subscriptionsOf = (db: Reader, user: User): Promise<EntitlementTime[]> =>
  listEntitlements(db, { appId: user.app_id, userIds: [user.id] })

const isRunning = (user: User, { expires_at }: EntitlementTime, now: number): boolean =>
  secondsLeft(expires_at, userClock(user, now)) !== 0

/** Gives a held user a level for some days. One that still runs is refused; an ended one starts again. */
export async function addSubscription(
  tx: Tx,
  user: User,
  { level, days, now }: { level: number; days: number; now: number },
): Promise<EntitlementTime> {
  const { app_id: appId, id: userId } = user
  await lockLevel(tx, appId, level)
  const [held] = await listEntitlements(tx.db, { appId, userIds: [userId], level })
  if (held && isRunning(user, held, now)) refuse(userSubscriptionsRefusals, 'USER_SUBSCRIPTION_TAKEN')
  const seconds = days * unitSeconds.days
  await upsertGrant(tx.db, { appId, userId, level, seconds, licenseId: null, now: userClock(user, now) })
  tx.publish(`access:${appId}`)
  return getEntitlement(tx.db, user, level)
}

export interface SubscriptionChange {
  days?: number | undefined
  /** Epoch seconds; null never ends. */
  expiry?: number | null | undefined
  active?: boolean | undefined
}

/** Lets a held user's subscription end at another time; not `active` is now. */
export async function changeSubscription(
  tx: Tx,
  user: User,
  { level, change, now }: { level: number; change: SubscriptionChange; now: number },
): Promise<EntitlementTime> {
  const held = await getEntitlement(tx.db, user, level)
  const expiresAt = changedExpiry(user, held, change, now)
  await updateEntitlementExpiry(tx.db, { appId: user.app_id, userId: user.id, level, expiresAt })
  tx.publish(`access:${user.app_id}`)
  return { ...held, expires_at: expiresAt }
}

function changedExpiry(user: User, held: EntitlementTime, change: SubscriptionChange, now: number): number | null {
  const clock = userClock(user, now)
  if (change.active === false) return isRunning(user, held, now) ? clock : held.expires_at
  if (change.days !== undefined) return Math.min(clock + change.days * unitSeconds.days, maxEpochSeconds)
  if (change.expiry === null || change.expiry === 0) return null
  // People see when it would end without the pause; stored is what is left from the pause on.
  if (change.expiry !== undefined) return Math.max(0, change.expiry - (now - clock))
  if (change.active === true && isRunning(user, held, now)) return held.expires_at
  return refuse(userSubscriptionsRefusals, 'DURATION_REQUIRED')
}

/** Takes a level from a user; what else the user holds still counts. */
export async function removeSubscription(tx: Tx, user: User, level: number): Promise<void> {
  const removed = await deleteEntitlement(tx.db, { appId: user.app_id, userId: user.id, level })
  if (!removed) refuse(userSubscriptionsRefusals, 'USER_SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${user.app_id}`)
}

async function getEntitlement(db: Reader, user: User, level: number): Promise<EntitlementTime> {
  const [held] = await listEntitlements(db, { appId: user.app_id, userIds: [user.id], level })
  return held ?? refuse(userSubscriptionsRefusals, 'USER_SUBSCRIPTION_NOT_FOUND')
}
