import type { Tx } from '#database/database.ts'
import { lockApp, noteImportedHashes, roomInQuota } from '#features/apps/apps.actions.ts'
import { overwriteExpiry, restoreEntitlements } from '#features/entitlements/entitlements.actions.ts'
import { accessUntil, heldShare, storedEnd } from '#features/entitlements/entitlements.rules.ts'
import { type Entitlement, listEntitlementRows } from '#features/entitlements/entitlements.reads.ts'
import { insertImportedLicenses } from '#features/licenses/imported-licenses.actions.ts'
import { lockSameKeys } from '#features/licenses/licenses.actions.ts'
import { keyInAnyCase } from '#features/licenses/licenses.rules.ts'
import { insertImportedUsers, lockUsersByName, overwriteUsers } from '#features/users/imported-users.actions.ts'
import { countUsersOfApps, type User } from '#features/users/users.reads.ts'
import { usernameKey } from '#features/users/users.rules.ts'
import { licenseRoom } from './import-licenses.ts'
import { isKey, type UserRow } from './imported-rows.rules.ts'
import { type PriorUser, userStates } from './imported-state.ts'
import type { BatchContext, Hwids, ImportedBatch } from './batch-context.ts'
import { type PlannedUser, planUsers, type RowResult, skipped } from './plan-batch.ts'

/** Imports one batch of users with their subscriptions, as far as the plan allows. */
export async function importUsers(
  tx: Tx,
  { context, settings, levelOf }: BatchContext,
  { rows, hwids }: { rows: readonly UserRow[]; hwids: Hwids | undefined },
): Promise<ImportedBatch> {
  const { app, now } = context
  const { id: appId } = app
  const find = async (names: readonly string[]) =>
    new Map((await lockUsersByName(tx, appId, names)).map((user) => [user.username_key, user]))
  const plan = await planUsers(rows, settings, { levelOf, hwids, find })
  const { fitting, results } = await fittingUsers(tx, appId, now, { create: plan.create, withKeys: settings.withKeys })
  const ids = await insertImportedUsers(
    tx,
    { appId, now },
    fitting.map(({ user }) => ({
      username: user.username,
      email: user.email,
      password_hash: user.passwordHash,
      hwid_hash: user.hwidHash,
      banned: user.isBanned ? 1 : 0,
      access_until: accessUntil(user.subscriptions.map(({ expiresAt }) => expiresAt)),
    })),
  )
  const created = fitting.flatMap((each) => {
    const id = ids.get(usernameKey(each.user.username))
    // A concurrent call took the name.
    if (id === undefined) results.push(skipped(at(each.user), { code: 'USERNAME_TAKEN' }))
    return id === undefined ? [] : [{ ...each, id }]
  })
  const licenses = await insertKeys(tx, appId, now, created)
  await restoreEntitlements(
    tx,
    appId,
    created.flatMap(({ id, user, keyLevel }) =>
      user.subscriptions.map(({ level, expiresAt }) => ({
        user_id: id,
        level,
        expires_at: expiresAt,
        license_id: (level === keyLevel?.level && licenses.get(user.username)) || null,
        created_at: now,
      })),
    ),
  )
  const before = await overwrite(tx, appId, now, plan.overwrite)
  const imported = [...created.map(({ user }) => user), ...plan.overwrite.map(({ from }) => from)]
  const hashes = imported.map(({ passwordHash }) => passwordHash)
  await noteImportedHashes(tx, appId, hashes)
  const createdNames = new Set(created.map(({ user }) => user.username))
  return {
    // A renamed user that did not fit is only skipped.
    results: [
      ...plan.results.filter(({ newName }) => newName === undefined || createdNames.has(newName)),
      ...results,
    ].toSorted((one, other) => one.row - other.row),
    names: [...created.map(({ user }) => user.username), ...plan.overwrite.map(({ existing }) => existing.username)],
    overwritten: plan.overwrite.length,
    states: await userStates(tx.db, appId, {
      created: created.map(({ id, user }) => ({ id, licenseId: licenses.get(user.username) })),
      before,
    }),
  }
}

const at = ({ row, username }: PlannedUser) => ({ row, name: username })

interface Fitting {
  user: PlannedUser
  /** The subscription of the license key that is created for a user without a password. */
  keyLevel: PlannedUser['subscriptions'][number] | undefined
}

/** The users for whom the plan has room, and whose names are free as license keys if they need one. */
async function fittingUsers(
  tx: Tx,
  appId: string,
  now: number,
  { create, withKeys }: { create: readonly PlannedUser[]; withKeys: boolean },
): Promise<{ fitting: Fitting[]; results: RowResult[] }> {
  const results: RowResult[] = []
  const { room } = await roomInQuota(tx, {
    appId,
    kind: 'usersPerApp',
    now,
    count: async () => (await countUsersOfApps(tx.db, [appId])).get(appId) ?? 0,
  })
  const all = create.map((user): Fitting => ({ user, keyLevel: withKeys ? keyLevelOf(user) : undefined }))
  const keys = all.flatMap(({ user, keyLevel }) => (keyLevel ? [user.username] : []))
  if (keys.length > 0) await lockApp(tx, appId)
  const taken = new Set((await lockSameKeys(tx, appId, keys)).map(({ license }) => keyInAnyCase(license)))
  const licenses = keys.length > 0 ? await licenseRoom(tx, appId, now) : { room: 0, limit: 0 }
  const fitting: Fitting[] = []
  let madeKeys = 0
  for (const each of all) {
    const { user, keyLevel } = each
    if (fitting.length >= room) results.push(skipped(at(user), { code: 'USER_LIMIT_REACHED' }))
    else if (keyLevel && taken.has(keyInAnyCase(user.username)))
      results.push(skipped(at(user), { code: 'LICENSE_TAKEN' }))
    else if (keyLevel && madeKeys >= licenses.room) {
      results.push(skipped(at(user), { code: 'LICENSE_LIMIT_REACHED', values: { limit: licenses.limit } }))
    } else {
      fitting.push(each)
      if (keyLevel) madeKeys += 1
    }
  }
  return { fitting, results }
}

/** A user without a password signs in with a key, which gives the subscription that ends last. */
function keyLevelOf({ passwordHash, username, subscriptions }: PlannedUser): Fitting['keyLevel'] {
  if (passwordHash !== null || !isKey(username)) return undefined
  const end = ({ expiresAt }: { expiresAt: number | null }) => expiresAt ?? Infinity
  return subscriptions.toSorted((one, other) => end(other) - end(one))[0]
}

async function insertKeys(
  tx: Tx,
  appId: string,
  now: number,
  users: readonly (Fitting & { id: number })[],
): Promise<Map<string, number>> {
  const keys = users.flatMap(({ id, user: { username }, keyLevel }) => {
    if (!keyLevel) return []
    const { level, expiresAt } = keyLevel
    // The end is the redemption plus the duration, also of one that has ended (LIC-50).
    const at = expiresAt === null ? now : Math.max(0, Math.min(now, expiresAt - 1))
    const redeemed = { username, userId: id, at, expiresAt }
    const seconds = expiresAt === null ? 0 : Math.max(1, expiresAt - at)
    return [{ license: username, level, duration_seconds: seconds, notes: '', banned: 0, redeemed }]
  })
  return insertImportedLicenses(tx, { appId, now }, keys)
}

/** Overwrites what the file says of existing users, and returns what they were. */
async function overwrite(
  tx: Tx,
  appId: string,
  now: number,
  rows: readonly { from: PlannedUser; existing: User }[],
): Promise<Map<number, { user: PriorUser }>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ existing }) => existing.id)
  const stored = await listEntitlementRows(tx.db, appId, ids)
  const byUser = Map.groupBy(stored, ({ user_id }) => user_id)
  const changed: Entitlement[] = []
  const added: Entitlement[] = []
  const before = new Map<number, { user: PriorUser }>()
  for (const { from, existing } of rows) {
    const { id, password_hash, email, hwid_hash, banned } = existing
    const levels = new Map(
      from.subscriptions.map(({ level, expiresAt }) => [level, storedEnd(expiresAt, existing, now)]),
    )
    const had = (byUser.get(id) ?? []).filter(({ level }) => levels.has(level))
    changed.push(...had.map(({ level }) => ({ user_id: id, level, expires_at: levels.get(level) ?? null })))
    for (const { level } of had) levels.delete(level)
    added.push(...[...levels].map(([level, expiresAt]) => ({ user_id: id, level, expires_at: expiresAt })))
    const subscriptions = had.map(({ level, expires_at, shares }) => ({
      level,
      expires_at,
      ...(shares?.includes(heldShare) && { held: shares }),
    }))
    before.set(id, { user: { password_hash, email, hwid_hash, banned, subscriptions, added: [...levels.keys()] } })
  }
  await overwriteUsers(
    tx,
    { appId, now },
    rows.map(({ from, existing }) => ({
      user: existing,
      columns: {
        ...(from.email !== '' && { email: from.email }),
        ...(from.passwordHash !== null && { password_hash: from.passwordHash }),
        ...(from.hwidHash !== null && { hwid_hash: from.hwidHash }),
        ...(from.isBanned && { banned: 1 }),
      },
    })),
  )
  const users = rows.map(({ existing }) => existing)
  await overwriteExpiry(tx, { appId, users, now }, changed)
  await restoreEntitlements(
    tx,
    appId,
    added.map((row) => ({ ...row, license_id: null, created_at: now })),
  )
  return before
}
