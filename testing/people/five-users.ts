import { newSubscriber, newUser, passTime, signedIn, subscribe } from './end-users.ts'
import { newOwnerWithApp, type OwnedApp } from './people.ts'
import type { TestApp } from '../start-test-app.ts'

/** The columns of users and entitlements that actions on users may change. */
export async function userStatesOf(app: TestApp, { appId }: OwnedApp) {
  const users = await app.db.read
    .selectFrom('users')
    .select(['username', 'banned', 'paused', 'paused_at', 'hwid_hash', 'access_until'])
    .where('app_id', '=', appId)
    .orderBy('id')
    .execute()
  const entitlements = await app.db.read
    .selectFrom('user_subscriptions')
    .select(['user_id', 'level', 'expires_at', 'license_id'])
    .where('app_id', '=', appId)
    .orderBy('user_id')
    .orderBy('level')
    .execute()
  return { users, entitlements }
}

/**
 * Five users: one with a machine and two levels, one banned, one paused for an hour, one lifetime, one without a
 * subscription.
 */
export async function ownerOfFiveUsers(app: TestApp) {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  const names = {
    bound: await newSubscriber(owner, { days: 10 }),
    banned: await newSubscriber(owner, { days: 20 }),
    paused: await newSubscriber(owner, { days: 30 }),
    lifetime: await newSubscriber(owner, { days: null }),
    without: await newUser(owner),
  }
  await subscribe(owner, names.bound, { level: 2, days: 5 })
  await signedIn(app, owner, names.bound)
  await owner.visitor.call('POST /toggle_ban_user', { body: { username: names.banned } })
  await owner.visitor.call('POST /toggle_pause_user', { body: { username: names.paused } })
  await passTime(app, owner, 3600)
  return { owner, names }
}
