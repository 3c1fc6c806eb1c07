import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { userOfPassword } from '#features/users/users.actions.ts'
import type { User } from '#features/users/users.reads.ts'
import { usernameKey } from '#features/users/users.rules.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { type Attempt, beginAttempt, endAttempt, orUndoAttempt, takeBackAttempt } from '#server/auth/login-throttle.ts'
import { failureOf } from '#server/http/failures.ts'
import { networkOf } from '#server/rate-limits.ts'
import { clientErrors } from './client-api.errors.ts'
import type { ProgramContext } from './client-calls.ts'

interface Claim {
  /** The name as entered; may not exist. */
  username: string
  found: User | undefined
  password: string
  /** Known device: the machine the user first signed in on. Guesses from elsewhere do not lock it out (R-AUTH-03). */
  isBound: boolean
}

/**
 * Verifies a password; returns the user, the stored hash, and the attempt to be completed in the transaction that uses
 * it. All failures get the same reply in the same time.
 */
export async function verifyPassword(
  context: ProgramContext,
  { username, found, password, isBound }: Claim,
): Promise<{ user: User; attempt: Attempt }> {
  const { services, write, app, now } = context
  const network = networkOf(context.ip)
  // A known hardware ID does not help from another network.
  const device = isBound ? network : undefined
  const attempt = { realm: app.row.id, account: usernameKey(username), network, device }
  await beginAttempt({ settings: services.settings, db: { write } }, attempt, now)
  const { owner_id: ownerId, imported_hash_cost: importedCost } = app.row
  const user = await orUndoAttempt({ write }, attempt, () =>
    userOfPassword(services, { user: found, password, ownerId, importedCost: importedCost ?? undefined }),
  )
  if (user) return { user, attempt }
  await recordFailure(context, found)
  return reject(clientErrors, 'INVALID_CREDENTIALS')
}

/** Uses a verified password in the transaction that completes its attempt. A failure of the server is no guess (PRG-57). */
export async function useVerified<T>(
  { write }: Pick<ProgramContext, 'write'>,
  attempt: Attempt,
  use: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await write(async (tx) => {
      await endAttempt(tx, attempt)
      return use(tx)
    })
  } catch (error) {
    if (failureOf(error).status >= 500) await takeBackAttempt({ write }, attempt)
    throw error
  }
}

/**
 * Recorded in a transaction of its own, because the rejected one is rolled back (R-LOG-01). Never contains the input: a
 * password may be in the wrong field.
 */
async function recordFailure({ write, app, ip, requestId, now }: ProgramContext, user: User | undefined) {
  const { id, owner_id: ownerId, name } = app.row
  const scope = { actor: { type: 'anyone' as const }, app: { id, ownerId, name }, now, caller: { ip, requestId } }
  const entry = { act: 'user.login-failed' as const, target: user?.username ?? '', ownerId }
  await write((tx) => recordAudit(tx, scope, entry))
}
