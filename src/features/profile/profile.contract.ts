import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { AccountReply, accountsRefusals } from '#features/accounts/accounts.contract.ts'

/** The signed-in owner's own account (part 1 §2 /profile, §3, §5, §7 Auth and profile, §8). */

export const profileRefusals = {
  USERNAME_FIXED: { status: 400, message: 'The username cannot be changed' },
  PROFILE_INVALID: { status: 400, message: '{problem}' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  TWO_FACTOR_UNAVAILABLE: { status: 403, message: 'Two-factor authentication is not available here' },
  TWO_FACTOR_OFF: { status: 409, message: 'Two-factor authentication is not on' },
} as const

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

const Limit = Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('unlimited')])
const Password = Text(1024, 1)
const Code = Text(64, 1)
const Nothing = Type.Optional(strict({}))

export const profileContract = {
  profileStats: defineCall({
    method: 'GET',
    path: '/profile/stats',
    access: 'account',
    summary: 'How many apps, licenses and users the owner has, and since when.',
    reply: reply({
      totalApps: Type.Integer(),
      totalLicenses: Type.Integer(),
      totalUsers: Type.Integer(),
      accountCreated: EpochSeconds,
    }),
  }),
  updateProfile: defineCall({
    method: 'POST',
    path: '/profile/update',
    access: 'account',
    summary: 'Change the email address and display name. Another address needs a recent sign-in.',
    body: strict({
      username: Type.Optional(Text(1024)),
      email: Type.Optional(Text(1024)),
      displayName: Type.Optional(Text(1024)),
    }),
    reply: reply({ user: AccountReply }),
    refusals: { ...accountsRefusals, ...profileRefusals },
  }),
  changePassword: defineCall({
    method: 'POST',
    path: '/profile/change-password',
    access: 'account',
    summary: 'Set a new password. Every other session ends; this one goes on under a fresh id.',
    body: strict({ currentPassword: Password, newPassword: Text(1024) }),
    reply: reply({}),
    refusals: accountsRefusals,
  }),
  deleteAccount: defineCall({
    method: 'POST',
    path: '/profile/delete-account',
    access: 'account',
    recent: true,
    summary: 'Delete the account, its apps and everything in them. Needs a recent sign-in. Irreversible.',
    body: Nothing,
    reply: reply({}),
  }),
  listProfileSessions: defineCall({
    method: 'GET',
    path: '/profile/sessions',
    access: 'account',
    summary: "The account's live dashboard sessions, the last used first.",
    reply: reply({ sessions: Type.Array(SessionReply) }),
  }),
  deleteProfileSession: defineCall({
    method: 'DELETE',
    path: '/profile/sessions/{id}',
    access: 'account',
    summary: 'End one of the account’s own sessions by its `session_id`.',
    params: Type.Object({ id: Text(100, 1) }),
    body: Nothing,
    reply: reply({}),
    refusals: profileRefusals,
  }),
  logoutAll: defineCall({
    method: 'POST',
    path: '/logout-all',
    access: 'account',
    summary: 'End every dashboard session of the account, this one too.',
    body: Nothing,
    reply: reply({ ended: Type.Integer() }),
  }),
  reauthenticate: defineCall({
    method: 'POST',
    path: '/profile/reauthenticate',
    access: 'account',
    summary:
      'Prove the password again (and a code, with two-factor authentication): for five minutes delicate calls are open.',
    body: strict({ password: Password, code: Type.Optional(Code) }),
    reply: reply({}),
    refusals: accountsRefusals,
  }),
  planUsage: defineCall({
    method: 'GET',
    path: '/profile/plan-usage',
    access: 'account',
    summary: 'What the plan allows and how much of it the fullest app uses.',
    reply: reply({
      plan_type: Type.Union([Type.Literal('Free'), Type.Literal('Developer'), Type.Literal('Pro')]),
      plan_expires_at: Type.Union([EpochSeconds, Type.Null()]),
      usage: Type.Object({
        apps: Type.Integer(),
        max_users_in_any_app: Type.Integer(),
        max_licenses_in_any_app: Type.Integer(),
        max_variables_in_any_app: Type.Integer(),
      }),
      limits: Type.Object({
        max_apps: Limit,
        max_users_per_app: Limit,
        max_licenses_per_app: Limit,
        max_variables_per_app: Limit,
      }),
    }),
  }),
  twoFactorState: defineCall({
    method: 'GET',
    path: '/profile/two-factor',
    access: 'account',
    summary: 'Whether two-factor authentication can be had here and whether it is on.',
    reply: reply({ available: Type.Boolean(), enabled: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
  }),
  startTwoFactor: defineCall({
    method: 'POST',
    path: '/profile/two-factor/start',
    access: 'account',
    recent: true,
    summary: 'A new secret for an authenticator app, shown this once. It counts after /confirm.',
    body: Nothing,
    reply: reply({ secret: Type.String(), otpauthUrl: Type.String() }),
    refusals: { ...accountsRefusals, ...profileRefusals },
  }),
  confirmTwoFactor: defineCall({
    method: 'POST',
    path: '/profile/two-factor/confirm',
    access: 'account',
    summary:
      'Turn two-factor authentication on with a code of the new secret; gives ten recovery codes, shown this once.',
    body: strict({ code: Code }),
    reply: reply({ recoveryCodes: Type.Array(Type.String()) }),
    refusals: { ...accountsRefusals, ...profileRefusals },
  }),
  renewRecoveryCodes: defineCall({
    method: 'POST',
    path: '/profile/two-factor/recovery-codes',
    access: 'account',
    summary:
      'Ten new recovery codes, shown this once, with the password and a code or recovery code. The old ones end.',
    body: strict({ password: Password, code: Code }),
    reply: reply({ recoveryCodes: Type.Array(Type.String()) }),
    refusals: { ...accountsRefusals, ...profileRefusals },
  }),
  disableTwoFactor: defineCall({
    method: 'POST',
    path: '/profile/two-factor/disable',
    access: 'account',
    summary: 'Turn two-factor authentication off, with the password and a code or recovery code.',
    body: strict({ password: Password, code: Code }),
    reply: reply({}),
    refusals: { ...accountsRefusals, ...profileRefusals },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof profileContract> {}
}
