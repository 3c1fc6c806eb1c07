import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { lockUsersById } from '#features/users/users.actions.ts'
import type { User } from '#features/users/users.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { type Access, accessOf } from './access.rules.ts'
import { clientErrors } from './client-api.errors.ts'
import type { ProgramContext } from './client-calls.ts'
import type { SessionUser } from './live-sessions.ts'

type SignedIn = Pick<ProgramContext, 'session' | 'now'>

/** The user of a running program; a ban, pause or expiry takes effect here. */
export function requireRunningUser({ session, now }: SignedIn): { user: SessionUser; access: Access } {
  if (!session.user) reject(clientErrors, 'NOT_SIGNED_IN')
  const access = accessOf(session.user, session.entitlements, now)
  if (typeof access === 'string') reject(clientErrors, access)
  return { user: session.user, access }
}

/** Never by name: a user who was deleted meanwhile may have been created again, and is another one then. */
export async function lockSignedInUser(tx: Tx, { app, session }: ProgramContext): Promise<User> {
  const { id } = session.user ?? reject(clientErrors, 'NOT_SIGNED_IN')
  return (await lockUsersById(tx, app.row.id, [id]))[0] ?? reject(clientErrors, 'SESSION_ENDED')
}

/** Context for actions of other features on behalf of a program's user. */
export function contextOfUser({ app, ip, requestId, now }: ProgramContext, user: User): AppContext {
  const { id, owner_id: ownerId, name } = app.row
  return {
    actor: { type: 'user', id: String(user.id), ownerId },
    app: { id, ownerId, name },
    now,
    caller: { ip, requestId },
  }
}
