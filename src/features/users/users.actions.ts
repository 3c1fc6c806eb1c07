import { reject, rejectProblem } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { requireQuota } from '#features/apps/apps.actions.ts'
import { deleteEntitlementsOfUsers } from '#features/entitlements/entitlements.actions.ts'
import { endOtherSessions, endRejectedSessions, endSessions } from '../session-store/session-store.actions.ts'
import { deleteVariablesOfUsers } from '#features/variables/variables.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changesOf } from '#server/audit/changes.ts'
import { endResets, type ResetSubject } from '#server/auth/reset-tokens.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { userHashing } from '#server/passwords/hashing-use.ts'
import type { Services } from '#server/services.ts'
import { putUsersInBin } from './deleted-users.actions.ts'
import type { Machine } from './machines.ts'
import { countUsersOfApps, findUser, findUserById, type User } from './users.reads.ts'
import { userFormErrors } from './users.errors.ts'
import { hwidFingerprint } from './users.reply.ts'
import { newUserProblem, userChangeProblem, usernameKey } from './users.rules.ts'
import {
  deleteUserRows,
  insertUser,
  lockUserRows,
  replacePasswordHash,
  updateSignIn,
  updateUserRow,
  updateUserRowsById,
} from './users.writes.ts'

/** Of the links with which a user sets a new password. */
export const resetSubjectOf = (appId: string, id: number): ResetSubject => ({ kind: 'user', id: `${appId}/${id}` })

/** After another email address or password, no link that was sent before sets a password. */
export const endUserResets = (
  tx: Tx,
  { appId, now }: { appId: string; now: number },
  ids: readonly number[],
): Promise<void> =>
  endResets(
    tx,
    ids.map((id) => resetSubjectOf(appId, id)),
    now,
  )

export interface NewUser {
  appId: string
  username: string
  /** Null for a user who signs in with only a license key. */
  passwordHash: string | null
  email: string
  /** Hash of the machine, for a user created by signing in: it is bound immediately. */
  signIn?: { ip: string; hwidHash: string | null } | undefined
  /** End of the access that the same transaction grants, from `accessUntil`: otherwise the user is written twice. */
  access?: number
  now: number
}

/** Undefined if the name is taken. */
export async function createUser(
  tx: Tx,
  { appId, username, passwordHash, email, signIn, access = 0, now }: NewUser,
): Promise<User | undefined> {
  await requireQuota(tx, {
    appId,
    kind: 'usersPerApp',
    adding: 1,
    now,
    count: async () => (await countUsersOfApps(tx.db, [appId])).get(appId) ?? 0,
    reject: () => reject(userFormErrors, 'USER_LIMIT_REACHED'),
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
    access_until: access,
  })
}

/** Records a sign-in; with `hwidHash`, binds the machine to a user without one. False for a different machine. */
export async function recordSignIn(
  tx: Tx,
  user: { app_id: string; id: number },
  { ip, now, hwidHash }: { ip: string; now: number; hwidHash: string | null },
): Promise<boolean> {
  return updateSignIn(tx.db, { appId: user.app_id, id: user.id, ip, now, hwidHash })
}

interface UserPassword {
  user: User | undefined
  password: string
  /** The owner of the app. */
  ownerId: string
  importedCost: number | undefined
}

/** The user if the password matches, with the stored hash. */
export async function userOfPassword(
  { passwords, db }: Services,
  { user, password, ownerId, importedCost }: UserPassword,
): Promise<User | undefined> {
  const hash = await passwords.verifyAndRenew(password, user?.password_hash, {
    use: userHashing(ownerId),
    importedCost,
    replace: (renewed) => db.write(async (tx) => user !== undefined && replacePasswordHash(tx.db, user, renewed)),
    read: async () => user && (await findUserById(db.read, user.app_id, user.id))?.password_hash,
  })
  return user && hash !== undefined ? { ...user, password_hash: hash } : undefined
}

/** The user, or `USER_NOT_FOUND`, also for users of other owners. */
export async function getUser(db: Reader, appId: string, username: string): Promise<User> {
  return (await findUser(db, appId, username)) ?? reject(userFormErrors, 'USER_NOT_FOUND')
}

/** The user, locked until the transaction ends. */
export async function lockUser(tx: Tx, appId: string, username: string): Promise<User> {
  return (await lockUserByName(tx, appId, username)) ?? reject(userFormErrors, 'USER_NOT_FOUND')
}

/** The user with that name, if any, locked until the transaction ends. */
export const lockUserByName = async (tx: Tx, appId: string, username: string): Promise<User | undefined> =>
  (await lockUserRows(tx.db, appId, { names: [username] }))[0]

/** Users by their ids, locked until the transaction ends. */
export const lockUsersById = (tx: Tx, appId: string, ids: readonly number[]): Promise<User[]> =>
  lockUserRows(tx.db, appId, { ids })

/** Rejects invalid fields of a new user; called before the password is hashed. */
export const checkNewUser = (form: Parameters<typeof newUserProblem>[0]): void =>
  rejectProblem(userFormErrors, newUserProblem(form))

/** The same for an edit; omitted fields keep their value. */
export const checkUserChange = (form: Parameters<typeof userChangeProblem>[0]): void =>
  rejectProblem(userFormErrors, userChangeProblem(form))

/** Creates a user for the owner; rejects a taken name. */
export async function addUser(
  tx: Tx,
  context: AppContext,
  { username, passwordHash, email = '' }: { username: string; passwordHash: string; email?: string | undefined },
): Promise<User> {
  const { app, now } = context
  const user = await createUser(tx, { appId: app.id, username, passwordHash, email: email.trim(), now })
  if (!user) reject(userFormErrors, 'USERNAME_TAKEN', { details: { field: 'username' } })
  await recordAudit(tx, context, { act: 'user.create', target: user.username })
  return user
}

export interface UserChange {
  username: string
  email?: string | undefined
  passwordHash?: string | undefined
  /** Empty unbinds the machine; the fingerprint shown in lists changes nothing; anything else is a new machine. */
  hwid?: string | undefined
  machine?: Machine | undefined
  /** The values the caller saw in the fields it changes. */
  before?: { email?: string | undefined; hwid?: string | undefined } | undefined
  /** ID of the undo record. */
  operation?: string | undefined
}

/** Changes a user; a new password or machine ends the previous sessions. */
export async function editUser(tx: Tx, context: AppContext, form: UserChange): Promise<User> {
  const { passwordHash, hwid } = form
  const email = form.email?.trim()
  const user = await lockUser(tx, context.app.id, form.username)
  const current = { email: user.email, hwid: hwidFingerprint(user) }
  rejectFieldConflict({ before: form.before, change: { email, hwid } }, current)
  const machine = hwid === current.hwid ? undefined : form.machine
  if (machine?.missingLength !== undefined) {
    rejectProblem(userFormErrors, { code: 'HWID_TOO_SHORT', values: { min: machine.missingLength }, field: 'hwid' })
  }
  const isMoved = machine !== undefined && machine.hwidHash !== user.hwid_hash
  const columns = {
    ...(email !== undefined && { email }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    ...(hwid === '' && { hwid_hash: null }),
    ...(isMoved && { hwid_hash: machine.hwidHash }),
  }
  if (Object.keys(columns).length > 0) await updateUserRow(tx.db, user.app_id, user.id, columns)
  if (passwordHash !== undefined || (email !== undefined && email !== user.email))
    await endUserResets(tx, { appId: user.app_id, now: context.now }, [user.id])
  if (passwordHash !== undefined || isMoved)
    await endSessions(tx, { appId: user.app_id, userIds: [user.id] }, 'SESSION_ENDED')
  tx.publish(`access:${user.app_id}`)
  const details = { email: email !== undefined, password: passwordHash !== undefined, hwid: hwid === '' || isMoved }
  const { hwid_hash: hwidAfter } = columns
  const changes = changesOf(
    { email: user.email, hwid: user.hwid_hash, password: '' },
    { email, password: passwordHash, ...('hwid_hash' in columns && { hwid: hwidAfter }) },
    { hidden: ['email', 'hwid', 'password'] },
  )
  const operations = form.operation === undefined ? [] : [form.operation]
  await recordAudit(tx, context, { act: 'user.edit', target: user.username, details, changes, operations })
  return { ...user, ...columns }
}

/** Restores the email addresses of locked users. */
export async function restoreEmails(
  tx: Tx,
  { app, now }: AppContext,
  emails: ReadonlyMap<number, string>,
): Promise<void> {
  await updateUserRowsById(tx.db, app.id, 'email', emails)
  await endUserResets(tx, { appId: app.id, now }, [...emails.keys()])
}

/**
 * Password change by the user; ends the other sessions. False if the current password has changed since it was
 * verified.
 */
export async function changeOwnPassword(
  tx: Tx,
  context: AppContext,
  user: User,
  { passwordHash, tokenHash }: { passwordHash: string; tokenHash: string },
): Promise<boolean> {
  const [current] = await lockUsersById(tx, context.app.id, [user.id])
  if (current?.password_hash !== user.password_hash) return false
  await updateUserRow(tx.db, user.app_id, user.id, { password_hash: passwordHash })
  await endUserResets(tx, { appId: user.app_id, now: context.now }, [user.id])
  await endOtherSessions(tx, { appId: user.app_id, userId: user.id, tokenHash }, 'SESSION_ENDED')
  tx.publish(`access:${user.app_id}`)
  await recordAudit(tx, context, { act: 'user.change-password', target: user.username })
  return true
}

/** Deletes a user; `operation` identifies the deletion in the bin. */
export async function deleteUser(
  tx: Tx,
  context: AppContext,
  username: string,
  operation = newDeletion(),
): Promise<void> {
  const user = await lockUser(tx, context.app.id, username)
  await deleteUsers(tx, context, [user], operation)
  await recordAudit(tx, context, { act: 'user.delete', target: user.username, operations: [operation] })
}

/** Puts locked users into the bin with their entitlements and variables, and ends their sessions. */
export async function deleteUsers(
  tx: Tx,
  context: AppContext,
  users: readonly User[],
  operation: string,
): Promise<number> {
  const { app, now } = context
  const { id: appId } = app
  const ids = users.map(({ id }) => id)
  if (ids.length === 0) return 0
  await putUsersInBin(tx, context, users, operation)
  await endRejectedSessions(tx, { appId, userIds: ids }, 'SESSION_ENDED', now)
  // Users first, so that triggers do not recount a user's time for each entitlement.
  const deleted = await deleteUserRows(tx.db, appId, ids)
  await deleteEntitlementsOfUsers(tx, appId, ids)
  await deleteVariablesOfUsers(tx, appId, ids)
  return deleted
}

/** The same for users given by ID, with an audit event for each call. */
export async function deleteUsersById(
  tx: Tx,
  context: AppContext,
  ids: readonly number[],
  operation = newDeletion(),
): Promise<number> {
  if (ids.length === 0) return 0
  // A concurrent change to such a user either comes first or finds no user.
  const users = await lockUserRows(tx.db, context.app.id, { ids })
  const deleted = await deleteUsers(tx, context, users, operation)
  const names = users.map(({ username }) => username)
  const [name] = names
  if (name === undefined) return deleted
  const entry =
    names.length === 1
      ? { act: 'user.delete' as const, target: name }
      : { act: 'user.bulk-delete' as const, target: { noun: 'users', names } }
  await recordAudit(tx, context, { ...entry, operations: [operation] })
  return deleted
}
