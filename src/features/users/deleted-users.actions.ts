import { callError, type CallError } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { reindexRows } from '#database/reindex-rows.ts'
import { noteImportedHashes, roomInQuota } from '#features/apps/apps.actions.ts'
import { restoreEntitlements } from '#features/entitlements/entitlements.actions.ts'
import { accessUntil } from '#features/entitlements/entitlements.rules.ts'
import { type EntitlementRow, listEntitlementRows } from '#features/entitlements/entitlements.reads.ts'
import { lockLevels } from '#features/levels/levels.actions.ts'
import { restoreVariablesOfUsers } from '#features/variables/variables.actions.ts'
import { listVariables, type UserVariable } from '#features/variables/variables.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { type DeletedRow, putInBin } from '#server/bin/bin-items.ts'
import { userFormErrors } from './users.errors.ts'
import { countUsersOfApps, type User } from './users.reads.ts'
import { usernameKey } from './users.rules.ts'
import { insertUsers, lockUserRows } from './users.writes.ts'

/** A deleted user with everything that restoring it needs; its sessions are not kept. */
export interface DeletedUser {
  user: Omit<User, 'id' | 'app_id' | 'username_key' | 'state' | 'access_until'>
  subscriptions: Omit<EntitlementRow, 'app_id' | 'user_id'>[]
  variables: Omit<UserVariable, 'app_id' | 'user_id'>[]
}

/** Puts locked users into the bin; called before they are deleted. */
export async function putUsersInBin(
  tx: Tx,
  context: AppContext,
  users: readonly User[],
  operation: string,
): Promise<void> {
  const appId = context.app.id
  const ids = users.map(({ id }) => id)
  const subscriptions = Map.groupBy(await listEntitlementRows(tx.db, appId, ids), (row) => row.user_id)
  const variables = Map.groupBy(await listVariables(tx.db, appId, ids), (row) => row.user_id)
  const rows = users.map((user): DeletedRow<DeletedUser> => {
    const { username, password_hash, email, hwid_hash, ip, banned, paused, paused_at, created_at, last_login_at } = user
    return {
      id: user.id,
      name: username,
      content: {
        user: { username, password_hash, email, hwid_hash, ip, banned, paused, paused_at, created_at, last_login_at },
        subscriptions: (subscriptions.get(user.id) ?? []).map(
          ({ app_id: _app, user_id: _user, ...subscription }) => subscription,
        ),
        variables: (variables.get(user.id) ?? []).map(({ app_id: _app, user_id: _user, ...variable }) => variable),
      },
    }
  })
  await putInBin(tx, context, { kind: 'user', operation, rows })
}

/** Restores deleted users with their IDs, as far as names and the plan allow; returns the reasons for the others. */
export async function restoreUsers(
  tx: Tx,
  { app, now }: AppContext,
  deleted: readonly DeletedRow<DeletedUser>[],
): Promise<Map<number, CallError>> {
  const appId = app.id
  const problems = new Map<number, CallError>()
  const levels = await lockLevels(
    tx,
    appId,
    deleted.flatMap(({ content }) => content.subscriptions.map(({ level }) => level)),
  )
  const { room } = await roomInQuota(tx, {
    appId,
    kind: 'usersPerApp',
    now,
    count: async () => (await countUsersOfApps(tx.db, [appId])).get(appId) ?? 0,
  })
  const existing = await lockUserRows(tx.db, appId, { names: deleted.map(({ name }) => name) })
  const taken = new Set(existing.map(({ username_key }) => username_key))
  const restorable = deleted.filter(({ name }) => {
    // Several deleted users may have had the same name, one after the other: only one of them comes back.
    const isFree = !taken.has(usernameKey(name))
    taken.add(usernameKey(name))
    return isFree
  })
  for (const { id } of restorable.splice(Math.min(room, restorable.length))) {
    problems.set(id, callError(userFormErrors, 'USER_LIMIT_REACHED'))
  }
  // Deleting a level takes it from all users.
  const grantsOf = ({ subscriptions }: DeletedUser) => subscriptions.filter(({ level }) => levels.has(level))
  const rows = restorable.map(({ id, content }) => ({
    ...content.user,
    id,
    app_id: appId,
    username_key: usernameKey(content.user.username),
    access_until: accessUntil(grantsOf(content).map(({ expires_at }) => expires_at)),
  }))
  const inserted = new Set((await insertUsers(tx.db, rows)).map(({ id }) => Number(id)))
  // Also those whose name a concurrent transaction took.
  for (const { id } of deleted) {
    if (!inserted.has(id) && !problems.has(id)) problems.set(id, callError(userFormErrors, 'USERNAME_TAKEN'))
  }
  await noteImportedHashes(
    tx,
    appId,
    rows.map((row) => row.password_hash),
  )
  const back = restorable.filter(({ id }) => inserted.has(id))
  await reindexRows(tx.db, 'users', appId, [...inserted])
  await restoreEntitlements(
    tx,
    appId,
    back.flatMap(({ id, content }) => grantsOf(content).map((row) => ({ ...row, user_id: id }))),
  )
  await restoreVariablesOfUsers(
    tx,
    back.flatMap(({ id, content }) => content.variables.map((row) => ({ ...row, user_id: id, app_id: appId }))),
  )
  tx.publish(`access:${appId}`)
  return problems
}
