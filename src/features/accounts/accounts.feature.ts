import type { Feature } from '#server/http/endpoint.ts'
import { forgetOldResets } from '#server/auth/reset-tokens.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { forgetEndedSessions } from './accounts.actions.ts'
import { accountsContract } from './accounts.contract.ts'
import { accountOfToken } from './accounts.identity.ts'
import { accountKind } from './account-kind.ts'
import { accountSecurityContract } from './account-security.contract.ts'
import { securityCalls } from './api/account-security.ts'
import { signInCalls } from './api/sign-in.ts'
import { register } from './api/register.ts'
import { countLiveSessions } from './accounts.reads.ts'
import { passwordResetCalls } from './api/password-reset.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { passwordResetJobs } from './password-reset.actions.ts'
import { passwordResetContract } from './password-reset.contract.ts'
import { registrationState } from './registration-state.ts'
import { addSignInKind, signInKinds } from './sign-in-kinds.ts'

const cleanupMs = 600_000

export const accounts: Feature = {
  name: 'accounts',
  contract: { ...accountsContract, ...accountSecurityContract, ...passwordResetContract },
  endpoints: [...signInCalls, register, ...securityCalls, ...passwordResetCalls],
  jobs: passwordResetJobs,
  registrationState,
  identities: { account: accountOfToken },
  gauges: [
    {
      name: 'signet_dashboard_sessions',
      help: 'Live dashboard sessions of owners and administrators',
      read: async (services) => [{ value: await countLiveSessions(services.db.reports, epochSeconds(services)) }],
    },
  ],
  start: async (services) => {
    addSignInKind(services, accountKind)
    await ensureFirstAdmin(services)
    const cleanup = setInterval(() => void cleanUpAccounts(services), cleanupMs).unref()
    return async () => clearInterval(cleanup)
  },
}

async function cleanUpAccounts(services: Services): Promise<void> {
  const { db, log } = services
  const now = epochSeconds(services)
  try {
    await forgetEndedSessions(services, signInKinds(services), now)
    await forgetOldResets(db, now)
  } catch (error) {
    log.error({ err: error }, 'could not delete ended sessions')
  }
}
