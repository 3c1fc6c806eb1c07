import { accountSecurityContract } from '../account-security.contract.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountCost } from '#server/passwords.ts'
import { changePassword as setPassword, signInAgain, startSession } from '../accounts.actions.ts'
import { findAccount, findSessionRow } from '../accounts.reads.ts'
import { rememberedSeconds } from '../accounts.rules.ts'
import { checkNewPassword, endAttempt, provePassword, unchangedAccount } from '../identity-proof.actions.ts'

export const changePassword = endpoint(accountSecurityContract.changePassword, {
  prepare: async ({ services, actor, body, caller, now }) => {
    const account = (await findAccount(services.db.read, actor.id)) ?? signInAgain()
    await checkNewPassword(services, body.newPassword, account)
    const proof = { accountId: actor.id, password: body.currentPassword, ip: caller.ip, now }
    const proved = await provePassword(services, proof)
    return { proved, passwordHash: await services.passwords.hash(body.newPassword, accountCost) }
  },
  write: async (tx, context, { proved, passwordHash }) => {
    const { services, actor, caller, now, cookies } = context
    const { security } = await services.settings.current()
    // Another call may have ended this session, or changed the password, while this one was hashing.
    const session = (await findSessionRow(tx.db, actor.sessionHash)) ?? signInAgain()
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
