import { reject } from '#contract/errors.ts'
import { userOfPassword } from '#features/users/users.actions.ts'
import { type User, usernameKey } from '#features/users/users.reads.ts'
import { recordAudit } from '#server/audit.ts'
import { type Attempt, beginAttempt } from '#server/auth/login-throttle.ts'
import { networkOf } from '#server/rate-limits.ts'
import { clientErrors } from './client-api.errors.ts'
import type { ProgramContext } from './client-calls.ts'

interface Claim {
  /** As it was typed; of no user perhaps. */
  username: string
  found: User | undefined
  password: string
  /** On the machine that the user signed in on first: guesses from elsewhere don't lock it out (R-AUTH-03). */
  isBound: boolean
}

/**
 * The user whose password this is, with the hash that is stored then, and the attempt to be ended in the transaction
 * that acts on it. Whatever is wrong looks and lasts the same.
 */
export async function provePassword(
  context: ProgramContext,
  { username, found, password, isBound }: Claim,
): Promise<{ user: User; attempt: Attempt }> {
  const { services, write, app, now } = context
  const network = networkOf(context.ip)
  // Whoever learns of somebody's hardware id is still somewhere else.
  const device = isBound ? network : undefined
  const attempt = { realm: app.row.id, account: usernameKey(username), network, device }
  await beginAttempt({ settings: services.settings, db: { write } }, attempt, now)
  const user = await userOfPassword(services, found, password)
  if (user) return { user, attempt }
  await recordFailure(context, found)
  return reject(clientErrors, 'INVALID_CREDENTIALS')
}

/** Written apart from what is refused (R-LOG-01). Never what was typed: a password may stand in the wrong field. */
async function recordFailure({ write, app, ip, requestId, now }: ProgramContext, user: User | undefined) {
  const { id, owner_id: ownerId, name } = app.row
  const scope = { actor: { type: 'anyone' as const }, app: { id, ownerId, name }, now, caller: { ip, requestId } }
  const entry = { act: 'user.login-failed' as const, target: user?.username ?? '', ownerId }
  await write((tx) => recordAudit(tx, scope, entry))
}
