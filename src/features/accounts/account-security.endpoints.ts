import { reject } from '#contract/errors.ts'
import { countRecoveryCodes } from '#server/auth/second-factors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { SecurityContract } from './account-security.contract.ts'
import { accountsErrors } from './accounts.errors.ts'
import { listLiveSessions } from './accounts.identity.ts'
import {
  checkNewPassword,
  finishSecondFactorVerification,
  getCaller,
  orUndoVerification,
  verifyIdentity,
  verifySecondFactor,
  reauthenticate,
} from './identity-verification.actions.ts'
import { changePassword, endOtherSessions, endOwnSession } from './sign-in.actions.ts'
import type { SignInKind } from './sign-in-kinds.ts'
import {
  beginCodeAttempt,
  confirmTwoFactor,
  disableTwoFactor,
  hasSecondFactor,
  rejectReplacedSetup,
  renewRecoveryCodes,
  startTwoFactor,
} from './two-factor.actions.ts'

/** Account security calls for one kind of account. */
export const securityEndpoints = (contract: SecurityContract, kind: SignInKind) => ({
  ...passwordEndpoints(contract, kind),
  ...sessionEndpoints(contract, kind),
  ...twoFactorEndpoints(contract, kind),
})

const passwordEndpoints = (contract: SecurityContract, kind: SignInKind) => ({
  changePassword: endpoint(contract.changePassword, {
    prepare: async (context) => {
      const { services, caller, body } = context
      const { currentPassword: password, newPassword, code } = body
      await checkNewPassword(services, newPassword, await getCaller(context, kind))
      const proved = await verifyIdentity(context, kind, { password, code })
      const passwordHash = await orUndoVerification(context, proved, code, () =>
        services.passwords.hash(newPassword, accountHashing(networkOf(caller.ip))),
      )
      return { proved, code, passwordHash }
    },
    write: async (tx, context, prepared) => {
      await changePassword(tx, context, prepared)
      return { code: 'PASSWORD_CHANGE_OK' }
    },
  }),
  reauthenticate: endpoint(contract.reauthenticate, {
    prepare: (context) => verifyIdentity(context, kind, context.body),
    write: async (tx, context, proved) => {
      await reauthenticate(tx, context, proved, context.body.code)
      return { code: 'REAUTHENTICATE_OK' }
    },
  }),
})

const sessionEndpoints = (contract: SecurityContract, kind: SignInKind) => ({
  listProfileSessions: endpoint(contract.listProfileSessions, {
    read: async ({ services, actor, now }) => {
      const { db, ipData } = services
      const sessions = await listLiveSessions(services, db.read, kind.tables, { personId: actor.id, now })
      return {
        sessions: sessions.map((session) => ({
          session_id: session.handle,
          ip: session.ip,
          country: ipData.countryOf(session.ip),
          user_agent: session.user_agent,
          is_current: session.id_hash === actor.sessionHash,
          remember_me: session.remember_me === 1,
          created_at: session.created_at,
          last_used_at: session.last_used_at,
          expires_at: session.expires_at,
        })),
      }
    },
  }),
  deleteProfileSession: endpoint(contract.deleteProfileSession, {
    write: async (tx, context) => {
      await endOwnSession(tx, context, kind, context.params.id)
      return { code: 'SESSION_DELETE_OK' }
    },
  }),
  endOtherSessions: endpoint(contract.endOtherSessions, {
    write: async (tx, context) => {
      const ended = await endOtherSessions(tx, context, kind)
      return { code: 'OTHER_SESSIONS_OK', ended }
    },
  }),
})

const twoFactorEndpoints = (contract: SecurityContract, kind: SignInKind) => ({
  twoFactorState: endpoint(contract.twoFactorState, {
    read: async (context) => {
      const { db, settings } = context.services
      const person = await getCaller(context, kind)
      const { security } = await settings.current()
      return {
        available: security.enable2FA,
        enabled: hasSecondFactor(person),
        recoveryCodesLeft: await countRecoveryCodes(db.read, kind.tables, person.id),
      }
    },
  }),
  startTwoFactor: endpoint(contract.startTwoFactor, { write: (tx, context) => startTwoFactor(tx, context, kind) }),
  confirmTwoFactor: endpoint(contract.confirmTwoFactor, {
    prepare: async (context) => {
      const { security } = await context.services.settings.current()
      if (!security.enable2FA) reject(accountsErrors, 'TWO_FACTOR_UNAVAILABLE')
      const person = await getCaller(context, kind)
      // Not counted as an attempt: the code may be right for the secret that its caller has.
      rejectReplacedSetup(context.services, kind, person, context.body.setupId)
      await beginCodeAttempt(context, person, context.body.code)
    },
    write: async (tx, context) => {
      const recoveryCodes = await confirmTwoFactor(tx, context, kind, context.body)
      return { code: 'TWO_FACTOR_ON_OK', recoveryCodes }
    },
  }),
  renewRecoveryCodes: endpoint(contract.renewRecoveryCodes, {
    prepare: (context) => verifySecondFactor(context, kind, context.body),
    write: async (tx, context, proved) => {
      const person = await finishSecondFactorVerification(tx, context, proved, context.body.code)
      const recoveryCodes = await renewRecoveryCodes(tx, context, kind, person)
      return { code: 'RECOVERY_CODES_OK', recoveryCodes }
    },
  }),
  disableTwoFactor: endpoint(contract.disableTwoFactor, {
    prepare: (context) => verifySecondFactor(context, kind, context.body),
    write: async (tx, context, proved) => {
      const person = await finishSecondFactorVerification(tx, context, proved, context.body.code)
      await disableTwoFactor(tx, context, kind, person)
      return { code: 'TWO_FACTOR_OFF_OK' }
    },
  }),
})
