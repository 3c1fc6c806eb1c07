import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { verifyLogin } from '#features/accounts/identity-verification.actions.ts'
import { logIn } from '#features/accounts/sign-in.actions.ts'
import { confirmEmail } from '#features/resellers/reseller-email.actions.ts'
import { resellerKind } from '#features/resellers/reseller-kind.ts'
import { resellersErrors } from '#features/resellers/resellers.errors.ts'
import { findReseller } from '#features/resellers/resellers.reads.ts'
import { signedInReseller } from '#features/resellers/resellers.reply.ts'
import { checkSetup, describeSetup, setUpReseller } from '#features/resellers/resellers.sign-in.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { resellerApiContract as contract } from '../reseller-api.contract.ts'

export const ownSessionCalls: readonly Endpoint[] = [
  endpoint(contract.setupLink, {
    read: ({ services, params }) => describeSetup(services, params.registrationToken),
  }),
  endpoint(contract.setUp, {
    prepare: (context) => checkSetup(context, { token: context.params.registrationToken, ...context.body }),
    write: async (tx, context, passwordHash) => {
      const { params, body } = context
      const form = { token: params.registrationToken, email: body.email, passwordHash }
      const reseller = await setUpReseller(tx, context, form)
      return { code: 'RESELLER_SETUP_OK', ...signedInReseller(reseller) }
    },
  }),
  endpoint(contract.confirmEmail, {
    write: async (tx, context) => {
      const { email } = await confirmEmail(tx, context, context.body.token)
      return { code: 'RESELLER_EMAIL_OK', email: email ?? '' }
    },
  }),
  endpoint(contract.login, {
    prepare: async (context) => {
      const { username, password } = context.body
      if (username.trim() === '' || password === '') reject(resellersErrors, 'LOGIN_FIELDS_REQUIRED')
      return verifyLogin(context, { login: username, password }, resellerKind)
    },
    write: (tx, context, proved) => logIn(tx, context, proved, context.body.rememberMe === true),
  }),
  endpoint(contract.checkAuth, {
    read: async ({ services, actor }) => {
      const reseller = await findReseller(services.db.read, actor.id)
      return reseller ? signedInReseller(reseller) : reject(commonErrors, 'SESSION_REQUIRED')
    },
  }),
]
