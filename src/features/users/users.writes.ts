import type { Insertable, Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import { locking } from '#database/row-lock.ts'
import { deleteRows } from '#database/delete-rows.ts'
import { valueById } from '#database/value-by-id.ts'
import type { User } from './users.reads.ts'
import { usernameKey } from './users.rules.ts'
import type { UsersTable } from './users.table.ts'

export type NewUserRow = Pick<
  User,
  | 'app_id'
  | 'username'
  | 'username_key'
  | 'password_hash'
  | 'email'
  | 'hwid_hash'
  | 'ip'
  | 'created_at'
  | 'last_login_at'
  | 'access_until'
>

const insertRow = preparedQuery((db, user: NewUserRow) =>
  db
    .insertInto('users')
    .values({
      app_id: user.app_id,
      username: user.username,
      username_key: user.username_key,
      password_hash: user.password_hash,
      email: user.email,
      hwid_hash: user.hwid_hash,
      ip: user.ip,
      created_at: user.created_at,
      last_login_at: user.last_login_at,
      access_until: user.access_until,
      paused_at: null,
    })
    .onConflict((conflict) => conflict.columns(['app_id', 'username_key']).doNothing())
    .returningAll(),
)

/** Undefined if the app already has a user with that name. */
export async function insertUser(trx: Transaction, user: NewUserRow): Promise<User | undefined> {
  return (await insertRow(trx, user))[0]
}

const rowsPerInsert = 250

/** Inserts users, with their IDs if they have some, and returns those that were inserted; taken names are skipped. */
export async function insertUsers(
  trx: Transaction,
  rows: readonly Insertable<UsersTable>[],
): Promise<Pick<User, 'id' | 'username_key'>[]> {
  const inserted: Pick<User, 'id' | 'username_key'>[] = []
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = await trx
      .insertInto('users')
      .values(rows.slice(from, from + rowsPerInsert))
      .onConflict((conflict) => conflict.columns(['app_id', 'username_key']).doNothing())
      .returning(['id', 'username_key'])
      .execute()
    inserted.push(...some)
  }
  return inserted
}

export async function updateUserRow(
  trx: Transaction,
  appId: string,
  id: number,
  change: Updateable<UsersTable>,
): Promise<void> {
  await trx.updateTable('users').set(change).where('app_id', '=', appId).where('id', '=', id).execute()
}

/** False if the hash has been replaced meanwhile. */
export async function replacePasswordHash(
  trx: Transaction,
  { app_id, id, password_hash }: Pick<User, 'app_id' | 'id' | 'password_hash'>,
  hash: string,
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ password_hash: hash })
    .where('app_id', '=', app_id)
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

interface SignInUpdate {
  appId: string
  id: number
  ip: string
  now: number
}

const signInRow = preparedQuery((db, { appId, id, ip, now }: SignInUpdate) =>
  db
    .updateTable('users')
    .set({ ip, last_login_at: now })
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .returning('id'),
)

const signInRowOfMachine = preparedQuery((db, { appId, id, ip, now, hwidHash }: SignInUpdate & { hwidHash: string }) =>
  db
    .updateTable('users')
    .set({ ip, last_login_at: now, hwid_hash: hwidHash })
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .where((where) => where.or([where('hwid_hash', 'is', null), where('hwid_hash', '=', hwidHash)]))
    .returning('id'),
)

/** Records a sign-in; binds the machine to a user without one. False if another machine was first. */
export async function updateSignIn(
  trx: Transaction,
  { hwidHash, ...update }: SignInUpdate & { hwidHash: string | null },
): Promise<boolean> {
  const rows = hwidHash === null ? await signInRow(trx, update) : await signInRowOfMachine(trx, { ...update, hwidHash })
  return rows.length === 1
}

export async function updateUserRows(
  trx: Transaction,
  appId: string,
  ids: readonly number[],
  change: Updateable<UsersTable>,
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('users')
    .set(change)
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()
}

const lockedUserOfName = preparedQuery((db, { appId, key }: { appId: string; key: string }) =>
  locking(db, db.selectFrom('users').selectAll().where('app_id', '=', appId).where('username_key', '=', key)),
)

const lockedUserOfId = preparedQuery((db, { appId, id }: { appId: string; id: number }) =>
  locking(db, db.selectFrom('users').selectAll().where('app_id', '=', appId).where('id', '=', id)),
)

/** These users, locked until the transaction ends, in a fixed order to prevent deadlocks. */
export async function lockUserRows(
  trx: Transaction,
  appId: string,
  choice: { ids: readonly number[] } | { names: readonly string[] },
): Promise<User[]> {
  const [column, values] =
    'ids' in choice ? (['id', choice.ids] as const) : (['username_key', choice.names.map(usernameKey)] as const)
  const [first] = values
  if (first === undefined) return []
  if (values.length === 1) {
    return typeof first === 'number'
      ? lockedUserOfId(trx, { appId, id: first })
      : lockedUserOfName(trx, { appId, key: first })
  }
  const query = trx
    .selectFrom('users')
    .selectAll()
    .where('app_id', '=', appId)
    .where(column, 'in', [...values])
    .orderBy('id')
  return locking(trx, query).execute()
}

/** Sets a column of these users to an individual value for each. */
export async function updateUserRowsById<C extends 'email' | 'hwid_hash' | 'paused_at'>(
  trx: Transaction,
  appId: string,
  column: C,
  values: ReadonlyMap<number, User[C]>,
): Promise<void> {
  if (values.size === 0) return
  const type = column === 'paused_at' ? 'bigint' : 'text'
  await trx
    .updateTable('users')
    .set({ [column]: valueById<number | string>('id', values, type) })
    .where('app_id', '=', appId)
    .where('id', 'in', [...values.keys()])
    .execute()
}

export const deleteUserRows = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'users', appId, { column: 'id', values })
