import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountKind } from '../account-kind.ts'
import { accountsContract } from '../accounts.contract.ts'
import { accountsErrors } from '../accounts.errors.ts'
import { verifyLogin } from '../identity-verification.actions.ts'
import { logIn } from '../sign-in.actions.ts'
import { findByLogin } from '../sign-in-kinds.ts'

export const login = endpoint(accountsContract.login, {
  prepare: async (context) => {
    const { services, body } = context
    const { username, password } = body
    if (username.trim() === '' || password === '') reject(accountsErrors, 'LOGIN_FIELDS_REQUIRED')
    const found = await findByLogin(services, services.db.read, username)
    return verifyLogin(context, found?.kind ?? accountKind, { login: username, password })
  },
  write: async (tx, context, proved) => {
    const { code, ...reply } = await logIn(tx, context, proved, context.body.rememberMe === true)
    return { code, ...reply }
  },
})
