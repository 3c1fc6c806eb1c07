import { reject } from '#contract/errors.ts'
import { minPasswordLength } from '#features/accounts/accounts.rules.ts'
import { changeOwnPassword } from '#features/users/users.actions.ts'
import { findUserById } from '#features/users/users.reads.ts'
import { orUndoAttempt } from '#server/auth/login-throttle.ts'
import { userHashing } from '#server/passwords/hashing-use.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { useVerified, verifyPassword } from '../password-verification.ts'
import { contextOfUser, requireRunningUser } from '../running-user.ts'

/** Changes the password of the signed-in user; a wrong current password counts as a failed sign-in. */
export const changePassword: ProgramHandler<'change-password'> = async (context) => {
  const { services, write, app, session, body } = context
  const { id, username, hwid_hash: boundHash } = requireRunningUser(context).user
  if (body.newPassword.length < minPasswordLength) reject(clientErrors, 'PASSWORD_TOO_SHORT')
  const found = await findUserById(services.db.read, app.row.id, id)
  const isBound = boundHash !== null && boundHash === session.row.hwid_hash
  const { user, attempt } = await verifyPassword(context, { username, found, password: body.password, isBound })
  const passwordHash = await orUndoAttempt({ write }, attempt, () =>
    services.passwords.hash(body.newPassword, userHashing(app.row.owner_id)),
  )
  await useVerified(context, attempt, async (tx) => {
    const change = { passwordHash, tokenHash: session.row.token_hash }
    const isChanged = await changeOwnPassword(tx, contextOfUser(context, user), user, change)
    if (!isChanged) reject(clientErrors, 'INVALID_CREDENTIALS')
  })
  return { message: 'Password changed' }
}
