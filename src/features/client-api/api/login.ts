import { refuse } from '#contract/refusals.ts'
import { userOfPassword } from '#features/users/users.actions.ts'
import { findUser, findUserById, type User, usernameKey } from '#features/users/users.reads.ts'
import { recordAudit } from '#server/audit.ts'
import { beginAttempt, endAttempt } from '#server/login-throttle.ts'
import { networkOf } from '#server/rate-limits.ts'
import { clientRefusals } from '../client-api.refusals.ts'
import type { ProgramContext, ProgramHandler } from '../client-calls.ts'
import { checkHwid, hwidHashOf, signIn } from '../sign-in.ts'

/** Signs a user in; wrong name and wrong password look and last the same. */
export const login: ProgramHandler<'login'> = async (context) => {
  const { services, app, body, now } = context
  const appId = app.row.id
  checkHwid(app, body.hwid)
  const found = await findUser(services.db.read, appId, body.username)
  const network = networkOf(context.ip)
  const isBound = isBoundMachine(context, found)
  const attempt = {
    realm: appId,
    account: usernameKey(body.username),
    network,
    // Whoever learns of somebody's hardware id is still somewhere else.
    device: isBound ? network : undefined,
  }
  await beginAttempt(services, attempt, now)
  const user = await userOfPassword(services, found, body.password)
  if (!user) {
    await recordFailure(context, found)
    refuse(clientRefusals, 'INVALID_CREDENTIALS')
  }
  return services.db.write(async (tx) => {
    await endAttempt(tx, attempt)
    const current = await findUserById(tx.db, appId, user.id)
    // The password may have become another one while it was being checked.
    if (current?.password_hash !== user.password_hash) refuse(clientRefusals, 'INVALID_CREDENTIALS')
    return signIn(tx, context, { user: current, hwid: body.hwid, licenseId: null })
  })
}

/** The machine that the user signed in on first: guesses from elsewhere don't lock it out (R-AUTH-03). */
function isBoundMachine({ app, body }: ProgramContext, user: User | undefined): boolean {
  const { hwid } = body as { hwid?: string }
  return user?.hwid_hash !== null && user?.hwid_hash !== undefined && user.hwid_hash === hwidHashOf(app, hwid)
}

/** Written apart from what is refused (R-LOG-01). Never what was typed: a password may stand in the wrong field. */
async function recordFailure({ services, app, ip, requestId, now }: ProgramContext, user: User | undefined) {
  const { id, owner_id: ownerId, name } = app.row
  const scope = { actor: { type: 'anyone' as const }, app: { id, ownerId, name }, now, caller: { ip, requestId } }
  const entry = { act: 'user.login-failed', target: user?.username ?? '', ownerId }
  await services.db.write((tx) => recordAudit(tx, scope, entry))
}
