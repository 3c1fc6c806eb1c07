import { type Insertable, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { UsersTable } from './users.table.ts'

export type User = Selectable<UsersTable>

/** Usernames are unique in an app without regard to case (R-TEN-08). */
export const usernameKey = (username: string): string => username.toLowerCase()

export const findUser = (db: Reader, appId: string, username: string): Promise<User | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('app_id', '=', appId)
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()

export const findUserById = (db: Reader, appId: string, id: number): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('app_id', '=', appId).where('id', '=', id).executeTakeFirst()

/** Undefined when the app has a user of that name already. */
export const insertUser = (trx: Transaction<Schema>, user: Insertable<UsersTable>): Promise<User | undefined> =>
  trx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.columns(['app_id', 'username_key']).doNothing())
    .returningAll()
    .executeTakeFirst()

export async function updateUserRow(
  trx: Transaction<Schema>,
  appId: string,
  id: number,
  change: Updateable<UsersTable>,
): Promise<void> {
  await trx.updateTable('users').set(change).where('app_id', '=', appId).where('id', '=', id).execute()
}

/** Binds a machine to a user that has none yet; false when another one was first. */
export async function bindHwid(trx: Transaction<Schema>, appId: string, id: number, hwidHash: string): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ hwid_hash: hwidHash })
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .where((where) => where.or([where('hwid_hash', 'is', null), where('hwid_hash', '=', hwidHash)]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function deleteUserRows(trx: Transaction<Schema>, appId: string, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  await trx
    .deleteFrom('user_subscriptions')
    .where('app_id', '=', appId)
    .where('user_id', 'in', [...ids])
    .execute()
  const result = await trx
    .deleteFrom('users')
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export interface Entitlement {
  level: number
  name: string
  expires_at: number | null
  level_active: number
  license_banned: number
  license_id: number | null
}

/** A user's subscriptions with what decides whether they count: the level's state and the license's ban. */
export const listEntitlements = (db: Reader, appId: string, userId: number): Promise<Entitlement[]> =>
  db
    .selectFrom('user_subscriptions as held')
    .leftJoin('subscriptions as level', (join) =>
      join.onRef('level.app_id', '=', 'held.app_id').onRef('level.level', '=', 'held.level'),
    )
    .leftJoin('licenses as license', (join) =>
      join.onRef('license.app_id', '=', 'held.app_id').onRef('license.id', '=', 'held.license_id'),
    )
    .select((select) => [
      'held.level',
      'held.expires_at',
      'held.license_id',
      select.fn.coalesce('level.name', sql<string>`''`).as('name'),
      select.fn.coalesce('level.active', sql<number>`0`).as('level_active'),
      select.fn.coalesce('license.banned', sql<number>`0`).as('license_banned'),
    ])
    .where('held.app_id', '=', appId)
    .where('held.user_id', '=', userId)
    .orderBy('held.level')
    .execute()
