import type { Feature } from '#server/endpoint.ts'
import { accountsContract } from './accounts.contract.ts'
import { accountOfToken } from './accounts.identity.ts'
import { forgetEndedSessions } from './account-sessions.actions.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { checkAuth } from './api/check-auth.ts'
import { login } from './api/login.ts'
import { loginTwoFactor } from './api/login-two-factor.ts'
import { logout, resellerLogout } from './api/logout.ts'
import { register } from './api/register.ts'
import { ensureFirstAdmin } from './first-admin.ts'

const sweepMs = 600_000

export const accounts: Feature = {
  name: 'accounts',
  contract: accountsContract,
  endpoints: [login, loginTwoFactor, register, logout, resellerLogout, checkAuth],
  identities: { account: accountOfToken },
  start: async (services) => {
    await ensureFirstAdmin(services)
    const sweep = setInterval(() => void sweepAccounts(services), sweepMs).unref()
    return async () => clearInterval(sweep)
  },
}

async function sweepAccounts(services: Services): Promise<void> {
  const now = epochSeconds(services)
  await services.db
    .write((tx) => forgetEndedSessions(tx, now))
    .catch((error: unknown) => services.log.error({ err: error }, 'could not forget ended sessions'))
}
