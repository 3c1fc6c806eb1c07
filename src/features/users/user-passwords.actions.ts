import { reject } from '#contract/errors.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { type CheckedHash, hashIfAccepted } from '#server/passwords/checked-hash.ts'
import { userHashing } from '#server/passwords/hashing-use.ts'
import type { Services } from '#server/services.ts'
import { checkNewUser, getUser } from './users.actions.ts'
import { userFormErrors } from './users.errors.ts'
import { findUser } from './users.reads.ts'

interface HashingContext {
  services: Services
  app: AppScope
}

interface NewUserForm {
  username: string
  password: string
  email?: string | undefined
}

/** The hash for a new user, made before the transaction; a name that is taken costs none. */
export function hashForNewUser({ services, app }: HashingContext, form: NewUserForm): Promise<CheckedHash> {
  checkNewUser(form)
  const { username, password } = form
  const check = async () => {
    const isTaken = (await findUser(services.db.read, app.id, username)) !== undefined
    if (isTaken) reject(userFormErrors, 'USERNAME_TAKEN', { details: { field: 'username' } })
  }
  return hashIfAccepted(check, () => services.passwords.hash(password, userHashing(app.ownerId)))
}

/** The hash for an existing user; a name that doesn't exist costs none. */
export function hashForUser(
  { services, app }: HashingContext,
  { username, password }: { username: string; password: string },
): Promise<CheckedHash> {
  const check = async () => void (await getUser(services.db.read, app.id, username))
  return hashIfAccepted(check, () => services.passwords.hash(password, userHashing(app.ownerId)))
}
