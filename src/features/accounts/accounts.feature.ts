import type { Feature } from '#server/http/endpoint.ts'
import { forgetOldResets } from '#server/auth/reset-tokens.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { forgetEndedSessions } from './accounts.actions.ts'
import { accountsContract } from './accounts.contract.ts'
import { accountOfToken } from './accounts.identity.ts'
import { accountSecurityContract } from './account-security.contract.ts'
import { changePassword } from './api/change-password.ts'
import { listProfileSessions } from './api/list-profile-sessions.ts'
import { deleteProfileSession } from './api/delete-profile-session.ts'
import { logoutAll } from './api/logout-all.ts'
import { reauthenticate } from './api/reauthenticate.ts'
import { twoFactorState } from './api/two-factor-state.ts'
import { startTwoFactor } from './api/start-two-factor.ts'
import { confirmTwoFactor } from './api/confirm-two-factor.ts'
import { renewRecoveryCodes } from './api/renew-recovery-codes.ts'
import { disableTwoFactor } from './api/disable-two-factor.ts'
import { checkAuth } from './api/check-auth.ts'
import { loginTwoFactor } from './api/login-two-factor.ts'
import { login } from './api/login.ts'
import { logout, resellerLogout } from './api/logout.ts'
import { register } from './api/register.ts'
import { countLiveSessions } from './accounts.reads.ts'
import { requestPasswordReset } from './api/request-password-reset.ts'
import { resetPassword } from './api/reset-password.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { passwordResetJobs } from './password-reset.actions.ts'
import { passwordResetContract } from './password-reset.contract.ts'
import { registrationState } from './registration-state.ts'

const cleanupMs = 600_000

export const accounts: Feature = {
  name: 'accounts',
  contract: { ...accountsContract, ...accountSecurityContract, ...passwordResetContract },
  endpoints: [
    login,
    loginTwoFactor,
    register,
    logout,
    resellerLogout,
    checkAuth,
    changePassword,
    listProfileSessions,
    deleteProfileSession,
    logoutAll,
    reauthenticate,
    twoFactorState,
    startTwoFactor,
    confirmTwoFactor,
    renewRecoveryCodes,
    disableTwoFactor,
    requestPasswordReset,
    resetPassword,
  ],
  jobs: passwordResetJobs,
  registrationState,
  identities: { account: accountOfToken },
  gauges: [
    {
      name: 'signet_dashboard_sessions',
      help: 'Live sessions of owners and administrators',
      read: async (services) => [{ value: await countLiveSessions(services.db.reports, epochSeconds(services)) }],
    },
  ],
  start: async (services) => {
    await ensureFirstAdmin(services)
    const cleanup = setInterval(() => void cleanUpAccounts(services), cleanupMs).unref()
    return async () => clearInterval(cleanup)
  },
}

async function cleanUpAccounts(services: Services): Promise<void> {
  const { db, log } = services
  const now = epochSeconds(services)
  try {
    await forgetEndedSessions(db, now)
    while (!(await db.write((tx) => forgetOldResets(tx, now))));
  } catch (error) {
    log.error({ err: error }, 'could not forget ended sessions')
  }
}
