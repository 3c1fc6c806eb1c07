import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, RequiredText, strict, Text } from '#contract/fields.ts'
import { accountsErrors, type registrationFormErrors } from './accounts.errors.ts'

/** Signing in to and out of the dashboard. */

export const AccountReply = Type.Object({
  id: Type.String(),
  ownerid: Type.String(),
  username: Type.String(),
  email: Type.String(),
  displayName: Type.String(),
  role: Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('reseller')]),
  createdAt: EpochSeconds,
  timeZone: Type.Union([Type.String(), Type.Null()], {
    description: 'IANA time zone in which the dashboard shows times; null for the time zone of the browser',
  }),
})

const UserType = Type.Union([Type.Literal('owner'), Type.Literal('reseller')])

const Code = Text(64, 1)

/** A session, or the token of a sign-in that still needs its two-factor code. */
export const loginReply = reply({
  user: Type.Optional(AccountReply),
  userType: Type.Optional(UserType),
  twoFactorRequired: Type.Optional(Type.Literal(true)),
  pendingToken: Type.Optional(Type.String()),
})

export const loginSuccesses = {
  LOGIN_OK: 'Login successful! Welcome back.',
  LOGIN_PASSWORD_OK: 'Enter the code of your authenticator app',
} as const

export const accountsContract = {
  login: defineCall('POST /login', {
    access: 'anyone',
    duringMaintenance: true,
    summary:
      'Sign in. With `rememberMe`, the session ends after 7 days without use and after 30 days at the latest; otherwise one hour after its last use, and after the session timeout of the platform at the latest. With two-factor authentication, the reply holds a `pendingToken` for POST /login/two-factor instead of a session.',
    body: strict({
      username: RequiredText(254, 'LOGIN_FIELDS_REQUIRED'),
      password: RequiredText(1024, 'LOGIN_FIELDS_REQUIRED'),
      rememberMe: Type.Optional(Type.Boolean()),
    }),
    reply: loginReply,
    errors: accountsErrors,
    successes: loginSuccesses,
  }),
  loginTwoFactor: defineCall('POST /login/two-factor', {
    access: 'anyone',
    duringMaintenance: true,
    summary: 'Complete a sign-in with a code of the authenticator app or a recovery code. A recovery code works once.',
    body: strict({
      pendingToken: Text(100, 1),
      code: Type.Optional(Code),
      recoveryCode: Type.Optional(Code),
    }),
    reply: reply({ user: AccountReply, userType: UserType }),
    errors: accountsErrors,
    successes: { LOGIN_OK: 'Login successful! Welcome back.' },
  }),
  register: defineCall('POST /register', {
    access: 'anyone',
    summary:
      'Create an owner account and sign it in. `setupToken` is the one-time token of the link printed on first start.',
    body: strict({
      username: RequiredText(1024, 'USERNAME_REQUIRED'),
      email: RequiredText(1024, 'EMAIL_REQUIRED'),
      password: RequiredText(1024, 'PASSWORD_REQUIRED'),
      displayName: RequiredText(1024, 'DISPLAY_NAME_REQUIRED'),
      setupToken: Type.Optional(Text(100)),
    }),
    reply: reply({ user: AccountReply, userType: UserType }),
    errors: accountsErrors,
    successes: { REGISTER_OK: 'Account created successfully! You are now logged in.' },
  }),
  logout: defineCall('POST /logout', {
    access: 'anyone',
    duringMaintenance: true,
    summary: 'End the current session. Succeeds without a session, too.',
    body: Type.Optional(strict({})),
    reply: reply({}),
    successes: { LOGOUT_OK: 'Logged out' },
  }),
  resellerLogout: defineCall('POST /reseller/logout', {
    access: 'anyone',
    duringMaintenance: true,
    summary: 'Alias of POST /logout in the reseller area.',
    body: Type.Optional(strict({})),
    reply: reply({}),
    successes: { LOGOUT_OK: 'Logged out' },
  }),
  checkAuth: defineCall('GET /check-auth', {
    access: 'account',
    duringMaintenance: true,
    summary: 'Get the signed-in account.',
    reply: reply({ user: AccountReply, userType: UserType }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof accountsContract> {}
  interface Codes extends CodesOf<typeof accountsContract>, Record<keyof typeof registrationFormErrors, true> {}
}
