import type { Reader, Tx } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import { requireRoom } from '#features/apps/app-limits.actions.ts'
import { endSessions } from '#features/sessions/sessions.actions.ts'
import { countUsersOfApps } from './user-totals.queries.ts'
import {
  deleteBannedGrants,
  extendByLicenses,
  findOtherEntitlement,
  updateByLicense,
  upsertGrant,
} from './user-subscriptions.queries.ts'
import {
  deleteUserRows,
  type Entitlement,
  findUser,
  findUserById,
  lockUserRows,
  insertUser,
  listEntitlements,
  updateSignIn,
  type User,
  usernameKey,
} from './users.queries.ts'

export type { Entitlement, User }

export const userByName = (db: Reader, appId: string, username: string): Promise<User | undefined> =>
  findUser(db, appId, username)

export const userById = (db: Reader, appId: string, id: number): Promise<User | undefined> =>
  findUserById(db, appId, id)

/** Programs hear it too (docs/protocol.md). */
const userLimitRefusals = {
  USER_LIMIT_REACHED: { status: 403, message: 'This app has reached its number of users' },
} as const

export interface NewUser {
  appId: string
  username: string
  /** Null for a user who signs in with a license key alone. */
  passwordHash: string | null
  email: string
  /** Of whoever makes the user by signing in: the machine is bound at once. */
  signIn?: { ip: string; hwidHash: string | null } | undefined
  now: number
}

/** Undefined when the name is taken. */
export async function createUser(
  tx: Tx,
  { appId, username, passwordHash, email, signIn, now }: NewUser,
): Promise<User | undefined> {
  await requireRoom(tx, {
    appId,
    kind: 'usersPerApp',
    adding: 1,
    now,
    count: async () => (await countUsersOfApps(tx.db, [appId])).get(appId) ?? 0,
    refuse: () => refuse(userLimitRefusals, 'USER_LIMIT_REACHED'),
  })
  return insertUser(tx.db, {
    app_id: appId,
    username,
    username_key: usernameKey(username),
    password_hash: passwordHash,
    email,
    hwid_hash: signIn?.hwidHash ?? null,
    ip: signIn?.ip ?? '',
    created_at: now,
    last_login_at: signIn ? now : null,
  })
}

export const grantSubscription = (
  tx: Tx,
  grant: { appId: string; userId: number; level: number; seconds: number; licenseId: number | null; now: number },
): Promise<void> => upsertGrant(tx.db, grant)

export const entitlementsOf = (db: Reader, appId: string, userId: number): Promise<Entitlement[]> =>
  listEntitlements(db, appId, userId)

/** Notes a sign-in; with `hwidHash` binds the machine to a user that has none. False when it is another machine. */
export async function recordSignIn(
  tx: Tx,
  user: { app_id: string; id: number },
  { ip, now, hwidHash }: { ip: string; now: number; hwidHash: string | null },
): Promise<boolean> {
  return updateSignIn(tx.db, { appId: user.app_id, id: user.id, ip, now, hwidHash })
}

/** Deletes users with their subscriptions and variables and ends their sessions. */
export async function deleteUsers(tx: Tx, appId: string, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  // Whoever gives a user something in this moment comes before, or finds nobody.
  await lockUserRows(tx.db, appId, { ids })
  await endSessions(tx, { appId, userIds: ids }, 'SESSION_ENDED')
  return deleteUserRows(tx.db, appId, ids)
}

/** Changes that a license passes on to the subscription it gave. */
export const extendLicensedTime = (
  tx: Tx,
  change: { appId: string; licenseIds: readonly number[]; seconds: number; max: number },
): Promise<void> => extendByLicenses(tx.db, change)

export const changeLicensedSubscription = (
  tx: Tx,
  appId: string,
  licenseId: number,
  change: { level?: number; expires_at?: number | null },
): Promise<void> => updateByLicense(tx.db, appId, licenseId, change)

export const hasOtherEntitlement = (tx: Tx, appId: string, licenseId: number, level: number): Promise<boolean> =>
  findOtherEntitlement(tx.db, appId, licenseId, level)

export const removeBannedGrants = (tx: Tx, appId: string, licenseIds: readonly number[]): Promise<void> =>
  deleteBannedGrants(tx.db, appId, licenseIds)
