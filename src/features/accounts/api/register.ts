import { refuse } from '#contract/refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountCost } from '#server/passwords.ts'
import { accountReply, createAccount, startSession } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { isAccountTaken } from '../accounts.reads.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { registrationProblems } from '../accounts.rules.ts'
import { isEasyToGuess } from '../common-passwords.ts'

export const register = endpoint(accountsContract.register, {
  prepare: async ({ services, body }) => {
    const { platform, security } = await services.settings.current()
    if (!platform.registrationEnabled && !body.setupToken) refuse(accountsRefusals, 'REGISTRATION_CLOSED')
    const policy = { minimumLength: security.passwordMinLength, complex: security.requireComplexPassword }
    // The confirmation and the terms are asked on the screen; a call has no use for them.
    const [problem] = Object.values(
      registrationProblems({ ...body, confirmPassword: body.password, terms: true }, policy),
    )
    if (problem) refuse(accountsRefusals, 'REGISTRATION_INVALID', { values: { problem } })
    if (isEasyToGuess(body.password, body)) refuse(accountsRefusals, 'PASSWORD_TOO_COMMON')
    if (await isAccountTaken(services.db.read, body.username, body.email)) refuse(accountsRefusals, 'ACCOUNT_TAKEN')
    return { passwordHash: await services.passwords.hash(body.password, accountCost), security }
  },
  write: async (tx, context, { passwordHash, security }) => {
    const { body, caller, now, cookies } = context
    const account = await createAccount(tx, { ...body, passwordHash }, now)
    const token = await startSession(tx, account, {
      rememberMe: false,
      ip: caller.ip,
      userAgent: caller.userAgent,
      now,
      timeoutHours: security.sessionTimeout,
    })
    await recordAudit(tx, context, { act: 'account.register', target: account.username, actorId: account.id })
    tx.afterCommit(() => cookies.start(token, null))
    return {
      message: 'Account created successfully! You are now logged in.',
      user: accountReply(account),
      userType: 'owner' as const,
    }
  },
})
