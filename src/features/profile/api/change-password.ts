import { sessionByHash } from '#features/accounts/account-sessions.actions.ts'
import {
  accountById,
  changePassword as setPassword,
  signInAgain,
  startSession,
} from '#features/accounts/accounts.actions.ts'
import {
  checkNewPassword,
  endAttempt,
  provePassword,
  unchangedAccount,
} from '#features/accounts/identity-proof.actions.ts'
import { rememberedSeconds } from '#features/accounts/session-lifetime.rules.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountCost } from '#server/passwords.ts'
import { profileContract } from '../profile.contract.ts'

export const changePassword = endpoint(profileContract.changePassword, {
  prepare: async ({ services, actor, body, caller, now }) => {
    const account = (await accountById(services.db.read, actor.id)) ?? signInAgain()
    await checkNewPassword(services, body.newPassword, account)
    const proof = { accountId: actor.id, password: body.currentPassword, ip: caller.ip, now }
    const proved = await provePassword(services, proof)
    return { proved, passwordHash: await services.passwords.hash(body.newPassword, accountCost) }
  },
  write: async (tx, context, { proved, passwordHash }) => {
    const { services, actor, caller, now, cookies } = context
    const { security } = await services.settings.current()
    // Another call may have ended this session, or changed the password, while this one was hashing.
    const session = (await sessionByHash(tx.db, actor.sessionHash)) ?? signInAgain()
    const account = await unchangedAccount(tx, proved)
    await endAttempt(tx, proved.attempt)
    await setPassword(tx, account.id, passwordHash)
    const rememberMe = session.remember_me === 1
    const token = await startSession(tx, account, {
      rememberMe,
      ip: caller.ip,
      userAgent: caller.userAgent,
      now,
      timeoutHours: security.sessionTimeout,
      selectedAppId: session.selected_app_id,
    })
    await recordAudit(tx, context, { act: 'account.change-password', target: account.username })
    tx.afterCommit(() => cookies.start(token, rememberMe ? rememberedSeconds : null))
    return { message: 'Password changed successfully' }
  },
})
