import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { CountryCode, EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { accountsErrors } from './accounts.errors.ts'

/** Account security: password, sessions and two-factor authentication. */

const SessionReply = Type.Object({
  session_id: Type.String({ description: 'Identifier for ending the session; it cannot be used to sign in' }),
  ip: Type.String(),
  country: CountryCode,
  user_agent: Type.String(),
  is_current: Type.Boolean(),
  remember_me: Type.Boolean(),
  created_at: EpochSeconds,
  last_used_at: EpochSeconds,
  expires_at: EpochSeconds,
})

const Password = Text(1024, 1)
const Code = Text(64, 1)
const Nothing = Type.Optional(strict({}))

type SignedIn = 'account' | 'reseller'

/** The calls for one kind of account: `/profile` for owners and administrators, `/reseller/profile` for resellers. */
export const securityCalls = <const P extends string, const A extends SignedIn>(profile: P, access: A) => ({
  changePassword: defineCall(`POST ${profile}/change-password` as const, {
    access,
    summary:
      'Change the password. Requires the current password and, with two-factor authentication, a code. All other sessions end; this session continues under a new ID.',
    body: strict({ currentPassword: Password, newPassword: Text(1024), code: Type.Optional(Code) }),
    reply: reply({}),
    errors: accountsErrors,
    successes: { PASSWORD_CHANGE_OK: 'Password changed successfully' },
  }),
  listProfileSessions: defineCall(`GET ${profile}/sessions` as const, {
    access,
    summary: 'List the live dashboard sessions of the account, most recently used first.',
    reply: reply({ sessions: Type.Array(SessionReply) }),
  }),
  deleteProfileSession: defineCall(`DELETE ${profile}/sessions/{id}` as const, {
    access,
    summary: 'End a session of the account by its `session_id`.',
    params: Type.Object({ id: Text(100, 1) }),
    body: Nothing,
    reply: reply({}),
    errors: accountsErrors,
    successes: { SESSION_DELETE_OK: 'Session deleted successfully' },
  }),
  endOtherSessions: defineCall(`POST ${profile}/sessions/end-others` as const, {
    access,
    summary: 'End all sessions of the account except this one.',
    body: Nothing,
    reply: reply({ ended: Type.Integer() }),
    successes: { OTHER_SESSIONS_OK: 'Signed out everywhere else' },
  }),
  reauthenticate: defineCall(`POST ${profile}/reauthenticate` as const, {
    access,
    summary:
      'Confirm the password (and a code, with two-factor authentication). For the next five minutes, calls that need a recent sign-in are accepted.',
    body: strict({ password: Password, code: Type.Optional(Code) }),
    reply: reply({}),
    errors: accountsErrors,
    successes: { REAUTHENTICATE_OK: 'Thank you. You can continue.' },
  }),
  twoFactorState: defineCall(`GET ${profile}/two-factor` as const, {
    access,
    summary: 'Get whether two-factor authentication is available and whether it is turned on.',
    reply: reply({ available: Type.Boolean(), enabled: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
  }),
  startTwoFactor: defineCall(`POST ${profile}/two-factor/start` as const, {
    access,
    recent: true,
    summary: 'Create a secret for an authenticator app. The secret is shown only once and takes effect after /confirm.',
    body: Nothing,
    reply: reply({
      secret: Type.String(),
      otpauthUrl: Type.String(),
      setupId: Type.String({ description: 'Names this secret; pass it to /confirm' }),
    }),
    errors: accountsErrors,
  }),
  confirmTwoFactor: defineCall(`POST ${profile}/two-factor/confirm` as const, {
    access,
    summary:
      'Turn on two-factor authentication with a code of the new secret. Returns ten recovery codes, shown only once.',
    body: strict({
      code: Code,
      setupId: Type.Optional({
        ...Text(64, 1),
        description: 'The secret that the code is of; rejected if a later /start has replaced it',
      }),
    }),
    reply: reply({ recoveryCodes: Type.Array(Type.String()) }),
    errors: accountsErrors,
    successes: { TWO_FACTOR_ON_OK: 'Two-factor authentication is on' },
  }),
  renewRecoveryCodes: defineCall(`POST ${profile}/two-factor/recovery-codes` as const, {
    access,
    summary:
      'Create ten new recovery codes, shown only once. Requires the password and a code or recovery code. The previous recovery codes stop working.',
    body: strict({ password: Password, code: Code }),
    reply: reply({ recoveryCodes: Type.Array(Type.String()) }),
    errors: accountsErrors,
    successes: { RECOVERY_CODES_OK: 'New recovery codes' },
  }),
  disableTwoFactor: defineCall(`POST ${profile}/two-factor/disable` as const, {
    access,
    summary: 'Turn off two-factor authentication. Requires the password and a code or recovery code.',
    body: strict({ password: Password, code: Code }),
    reply: reply({}),
    errors: accountsErrors,
    successes: { TWO_FACTOR_OFF_OK: 'Two-factor authentication is off' },
  }),
})

export type SecurityContract = ReturnType<typeof securityCalls<string, SignedIn>>

export const accountSecurityContract = {
  ...securityCalls('/profile', 'account'),
  logoutAll: defineCall('POST /logout-all', {
    access: 'account',
    summary: 'End all dashboard sessions of the account, including this one.',
    body: Nothing,
    reply: reply({ ended: Type.Integer() }),
    successes: { LOGOUT_ALL_OK: 'Logged out from all devices' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof accountSecurityContract> {}
  interface Codes extends CodesOf<typeof accountSecurityContract> {}
}
