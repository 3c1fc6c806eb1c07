import type { Reader, Tx } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import { emailProblem, passwordProblem } from '#features/accounts/accounts.rules.ts'
import { endSessions } from '#features/sessions/sessions.actions.ts'
import { hwidFingerprint } from './hwid-fingerprint.ts'
import { createUser, type NewUser, type User, userByName } from './users.actions.ts'
import { lockUserRows, updateUserRow } from './users.queries.ts'
import { usersRefusals } from './users.refusals.ts'
import { endUsernameProblem, endUserPasswordPolicy } from './users.rules.ts'

/** The user, or `USER_NOT_FOUND`: a foreign one is as missing as one that never was. */
export async function getUser(db: Reader, appId: string, username: string): Promise<User> {
  return (await userByName(db, appId, username)) ?? refuse(usersRefusals, 'USER_NOT_FOUND')
}

/** The user, held until the transaction ends: nobody else changes it meanwhile. */
export async function lockUser(tx: Tx, appId: string, username: string): Promise<User> {
  const [user] = await lockUserRows(tx.db, appId, { usernames: [username] })
  return user ?? refuse(usersRefusals, 'USER_NOT_FOUND')
}

/** Refuses what no user can be; to be asked before the password is hashed. */
export function checkNewUser(form: { username: string; password: string; email?: string | undefined }): void {
  const problem =
    endUsernameProblem(form.username) ??
    passwordProblem(form.password, endUserPasswordPolicy) ??
    optionalEmailProblem(form.email)
  if (problem) refuse(usersRefusals, 'USER_INVALID', { fill: { problem } })
}

/** The same for what an edit sends; fields left out stay. */
export function checkUserChange(form: { password?: string | undefined; email?: string | undefined }): void {
  const { password, email } = form
  const problem =
    (password === undefined ? undefined : passwordProblem(password, endUserPasswordPolicy)) ??
    optionalEmailProblem(email)
  if (problem) refuse(usersRefusals, 'USER_INVALID', { fill: { problem } })
}

const optionalEmailProblem = (email = ''): string | undefined => (email.trim() === '' ? undefined : emailProblem(email))

/** Makes a user by the owner's hand; a name that is taken is refused. */
export async function addUser(tx: Tx, form: NewUser): Promise<User> {
  const user = await createUser(tx, { ...form, email: form.email.trim() })
  return user ?? refuse(usersRefusals, 'USERNAME_TAKEN')
}

export interface UserChange {
  email?: string | undefined
  passwordHash?: string | undefined
  /** Empty unbinds the machine; the fingerprint that lists give changes nothing. */
  hwid?: string | undefined
}

/** Changes a user; a new password ends the sessions that the old one began. */
export async function editUser(tx: Tx, user: User, change: UserChange): Promise<User> {
  const { email, passwordHash, hwid } = change
  const columns: { email?: string; password_hash?: string; hwid_hash?: null } = {}
  if (email !== undefined) columns.email = email.trim()
  if (passwordHash !== undefined) columns.password_hash = passwordHash
  if (hwid === '') columns.hwid_hash = null
  else if (hwid !== undefined && hwid !== hwidFingerprint(user)) refuse(usersRefusals, 'HWID_ONLY_RESET')
  if (Object.keys(columns).length > 0) await updateUserRow(tx.db, user.app_id, user.id, columns)
  if (passwordHash !== undefined) await endSessions(tx, { appId: user.app_id, userIds: [user.id] }, 'SESSION_ENDED')
  tx.publish(`access:${user.app_id}`)
  return { ...user, ...columns }
}
