import { refuse } from '#contract/refusals.ts'
import { minPasswordLength } from '#features/accounts/accounts.rules.ts'
import { changeOwnPassword } from '#features/users/users.actions.ts'
import { findUserById } from '#features/users/users.reads.ts'
import { countAttempt, forgetAttempts, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import { endUserCost } from '#server/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import { clientRefusals } from '../client-api.refusals.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { contextOfUser, requireRunningUser } from '../running-user.ts'

/** Changes the password of the user who is signed in; wrong old ones count as failed sign-ins. */
export const changePassword: ProgramHandler<'change-password'> = async (context) => {
  const { services, app, session, body, ip, now } = context
  const appId = app.row.id
  const { user } = requireRunningUser(context)
  if (body.newPassword.length < minPasswordLength) refuse(clientRefusals, 'PASSWORD_TOO_SHORT')
  const { platform } = await services.settings.current()
  const rule = { maxFailures: platform.maxFailedLoginAttempts, cooldownSeconds: platform.loginCooldownMinutes * 60 }
  const login = `${appId}|${user.username.toLowerCase()}`
  const network = `${appId}|${networkOf(ip)}`
  const wait = await services.db.write((tx) => countAttempt(tx, { login, network, now, rule }))
  if (wait > 0) refuseUntilCooldownEnds(wait)
  const current = await findUserById(services.db.read, appId, user.id)
  const isRight = await services.passwords.verify(body.password, current?.password_hash, endUserCost)
  if (!current || !isRight) refuse(clientRefusals, 'INVALID_CREDENTIALS')
  const passwordHash = await services.passwords.hash(body.newPassword, endUserCost)
  await services.db.write(async (tx) => {
    await forgetAttempts(tx, login, network)
    const change = { passwordHash, tokenHash: session.row.token_hash }
    const isChanged = await changeOwnPassword(tx, contextOfUser(context, current), current, change)
    if (!isChanged) refuse(clientRefusals, 'INVALID_CREDENTIALS')
  })
  return { message: 'Password changed' }
}
