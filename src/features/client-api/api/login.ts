import { refuse } from '#contract/refusals.ts'
import { findUser, findUserById } from '#features/users/users.reads.ts'
import { countAttempt, forgetAttempts, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import { endUserCost } from '#server/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import { clientRefusals } from '../client-api.refusals.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkHwid, signIn } from '../sign-in.ts'

/** Signs a user in; wrong name and wrong password look and last the same. */
export const login: ProgramHandler<'login'> = async (context) => {
  const { services, app, body, ip, now } = context
  const appId = app.row.id
  checkHwid(app, body.hwid)
  const { platform } = await services.settings.current()
  const rule = { maxFailures: platform.maxFailedLoginAttempts, cooldownSeconds: platform.loginCooldownMinutes * 60 }
  const login = `${appId}|${body.username.toLowerCase()}`
  const network = `${appId}|${networkOf(ip)}`
  const wait = await services.db.write((tx) => countAttempt(tx, { login, network, now, rule }))
  if (wait > 0) refuseUntilCooldownEnds(wait)
  const found = await findUser(services.db.read, appId, body.username)
  const isRight = await services.passwords.verify(body.password, found?.password_hash, endUserCost)
  if (!found || !isRight) refuse(clientRefusals, 'INVALID_CREDENTIALS')
  return services.db.write(async (tx) => {
    await forgetAttempts(tx, login, network)
    const user = await findUserById(tx.db, appId, found.id)
    if (!user) refuse(clientRefusals, 'INVALID_CREDENTIALS')
    return signIn(tx, context, { user, hwid: body.hwid, licenseId: null })
  })
}
