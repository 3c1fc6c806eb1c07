import { reject, rejectProblem } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { networkOf } from '#server/rate-limits.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import { accountsContract } from '../accounts.contract.ts'
import { hasSetupToken } from '../accounts.reads.ts'
import { accountsErrors } from '../accounts.errors.ts'
import { signedInReply } from '../accounts.reply.ts'
import { accountProblem } from '../accounts.rules.ts'
import { passwordPolicy, rejectEasyPassword } from '../identity-verification.actions.ts'
import { limitClaims, rejectTakenNames } from '../name-claims.actions.ts'
import { registerAccount } from '../sign-in.actions.ts'

export const register = endpoint(accountsContract.register, {
  prepare: async ({ services, body, caller, now }) => {
    const { platform } = await services.settings.current()
    if (body.setupToken !== undefined) {
      const isValid = await hasSetupToken(services.db.read, sessionHash(body.setupToken), now)
      if (!isValid) reject(accountsErrors, 'SETUP_TOKEN_INVALID')
    } else if (!platform.registrationEnabled) reject(accountsErrors, 'REGISTRATION_CLOSED')
    rejectProblem(accountsErrors, accountProblem(body, await passwordPolicy(services)))
    await rejectEasyPassword(services, body.password, body, 'password')
    // Invalid input does not count as an attempt.
    limitClaims({ services, caller })
    const { username, email } = body
    await rejectTakenNames(services, services.db.read, { username, email })
    return services.passwords.hash(body.password, accountHashing(networkOf(caller.ip)))
  },
  write: async (tx, context, passwordHash) => {
    const account = await registerAccount(tx, context, { ...context.body, passwordHash })
    return { code: 'REGISTER_OK', ...signedInReply(account) }
  },
})
