import type { Static } from 'typebox'
import type { Reader } from '#database/database.ts'
import { levelNames } from '#features/subscriptions/subscriptions.actions.ts'
import { hwidFingerprint } from './hwid-fingerprint.ts'
import { type EntitlementTime, listEntitlements } from './user-time.queries.ts'
import { listVariables } from './user-variables.queries.ts'
import type { EntitlementReply, UserReply } from './users.contract.ts'
import type { User } from './users.queries.ts'
import { secondsLeft, userClock } from './users.rules.ts'

export type DescribedUser = Static<typeof UserReply>

/** Users as the wire has them; what they hold is read for these users only. */
export async function describeUsers(
  db: Reader,
  { appId, users, now }: { appId: string; users: readonly User[]; now: number },
): Promise<DescribedUser[]> {
  const userIds = users.map(({ id }) => id)
  const held = Map.groupBy(await listEntitlements(db, { appId, userIds }), (row) => row.user_id)
  const variables = Map.groupBy(await listVariables(db, appId, userIds), (row) => row.user_id)
  const names = await levelNames(db, appId)
  return users.map((user) => {
    const subscriptions = (held.get(user.id) ?? []).map((each) => describeEntitlement(user, each, names, now))
    return {
      username: user.username,
      email: user.email,
      hwid: hwidFingerprint(user),
      ip: user.ip,
      creationDate: user.created_at,
      lastLoginDate: user.last_login_at,
      banned: user.banned === 1,
      paused: user.paused === 1,
      hasActiveSubscription: subscriptions.some(({ active }) => active),
      subscriptions: Object.fromEntries(subscriptions.map((each) => [each.level, each])),
      variables: Object.fromEntries((variables.get(user.id) ?? []).map(({ name, data }) => [name, data])),
    }
  })
}

export const describeUser = async (db: Reader, user: User, now: number): Promise<DescribedUser> =>
  (await describeUsers(db, { appId: user.app_id, users: [user], now }))[0] as DescribedUser

/** A subscription of a user; while paused it ends later with every second. */
export function describeEntitlement(
  user: User,
  { level, expires_at }: EntitlementTime,
  names: Map<number, string>,
  now: number,
): Static<typeof EntitlementReply> {
  const left = secondsLeft(expires_at, userClock(user, now))
  const running = left === null || left > 0
  return {
    level,
    name: names.get(level) ?? `Level ${level}`,
    active: running,
    expiry: expires_at === null || !running ? expires_at : now + (left as number),
    time_left: left,
  }
}
