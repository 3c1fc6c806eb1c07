import { Type } from 'typebox'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { accountsErrors } from './accounts.errors.ts'

/** How an account is protected: its password, its sessions, its second factor. */

const SessionReply = Type.Object({
  session_id: Type.String({ description: 'A handle: it ends the session and opens nothing' }),
  ip: Type.String(),
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

/** The calls of one kind of people: `/profile` of owners and administrators, `/reseller/profile` of resellers. */
export const securityCalls = <const P extends string, const A extends SignedIn>(profile: P, access: A) => ({
  changePassword: defineCall({
    method: 'POST',
    path: `${profile}/change-password` as const,
    access,
    summary:
      'Set a new password, with the present one (and a code, with two-factor authentication). Every other session ends; ' +
      'this one goes on under a fresh id.',
    body: strict({ currentPassword: Password, newPassword: Text(1024), code: Type.Optional(Code) }),
    reply: reply({}),
    errors: accountsErrors,
    successes: { PASSWORD_CHANGE_OK: 'Password changed successfully' },
  }),
  listProfileSessions: defineCall({
    method: 'GET',
    path: `${profile}/sessions` as const,
    access,
    summary: "The account's live dashboard sessions, the last used first.",
    reply: reply({ sessions: Type.Array(SessionReply) }),
  }),
  deleteProfileSession: defineCall({
    method: 'DELETE',
    path: `${profile}/sessions/{id}` as const,
    access,
    summary: 'End one of the account’s own sessions by its `session_id`.',
    params: Type.Object({ id: Text(100, 1) }),
    body: Nothing,
    reply: reply({}),
    errors: accountsErrors,
    successes: { SESSION_DELETE_OK: 'Session deleted successfully' },
  }),
  endOtherSessions: defineCall({
    method: 'POST',
    path: `${profile}/sessions/end-others` as const,
    access,
    summary: 'End every session of the account but this one.',
    body: Nothing,
    reply: reply({ ended: Type.Integer() }),
    successes: { OTHER_SESSIONS_OK: 'Signed out everywhere else' },
  }),
  reauthenticate: defineCall({
    method: 'POST',
    path: `${profile}/reauthenticate` as const,
    access,
    summary:
      'Prove the password again (and a code, with two-factor authentication): for five minutes delicate calls are open.',
    body: strict({ password: Password, code: Type.Optional(Code) }),
    reply: reply({}),
    errors: accountsErrors,
    successes: { REAUTHENTICATE_OK: 'Thank you. Please go on.' },
  }),
  twoFactorState: defineCall({
    method: 'GET',
    path: `${profile}/two-factor` as const,
    access,
    summary: 'Whether two-factor authentication can be had here and whether it is on.',
    reply: reply({ available: Type.Boolean(), enabled: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
  }),
  startTwoFactor: defineCall({
    method: 'POST',
    path: `${profile}/two-factor/start` as const,
    access,
    recent: true,
    summary: 'A new secret for an authenticator app, shown this once. It counts after /confirm.',
    body: Nothing,
    reply: reply({ secret: Type.String(), otpauthUrl: Type.String() }),
    errors: accountsErrors,
  }),
  confirmTwoFactor: defineCall({
    method: 'POST',
    path: `${profile}/two-factor/confirm` as const,
    access,
    summary:
      'Turn two-factor authentication on with a code of the new secret; gives ten recovery codes, shown this once.',
    body: strict({ code: Code }),
    reply: reply({ recoveryCodes: Type.Array(Type.String()) }),
    errors: accountsErrors,
    successes: { TWO_FACTOR_ON_OK: 'Two-factor authentication is on' },
  }),
  renewRecoveryCodes: defineCall({
    method: 'POST',
    path: `${profile}/two-factor/recovery-codes` as const,
    access,
    summary:
      'Ten new recovery codes, shown this once, with the password and a code or recovery code. The old ones end.',
    body: strict({ password: Password, code: Code }),
    reply: reply({ recoveryCodes: Type.Array(Type.String()) }),
    errors: accountsErrors,
    successes: { RECOVERY_CODES_OK: 'New recovery codes' },
  }),
  disableTwoFactor: defineCall({
    method: 'POST',
    path: `${profile}/two-factor/disable` as const,
    access,
    summary: 'Turn two-factor authentication off, with the password and a code or recovery code.',
    body: strict({ password: Password, code: Code }),
    reply: reply({}),
    errors: accountsErrors,
    successes: { TWO_FACTOR_OFF_OK: 'Two-factor authentication is off' },
  }),
})

export type SecurityContract = ReturnType<typeof securityCalls<string, SignedIn>>

export const accountSecurityContract = {
  ...securityCalls('/profile', 'account'),
  logoutAll: defineCall({
    method: 'POST',
    path: '/logout-all',
    access: 'account',
    summary: 'End every dashboard session of the account, this one too.',
    body: Nothing,
    reply: reply({ ended: Type.Integer() }),
    successes: { LOGOUT_ALL_OK: 'Logged out from all devices' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof accountSecurityContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof accountSecurityContract> {}
}
