import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text } from '#contract/fields.ts'

/** Signing in and out of the dashboard (part 1 §5, §7 Auth, §8). */

export const accountsRefusals = {
  LOGIN_FIELDS_REQUIRED: { status: 400, message: 'Username and password are required' },
  LOGIN_FAILED: { status: 403, message: 'Invalid username or password' },
  ACCOUNT_BANNED: { status: 403, message: 'This account has been banned' },
  LOGIN_COOLDOWN: { status: 429, message: 'Too many failed attempts. Try again in {minutes} minutes.' },
  ACCOUNT_TAKEN: { status: 409, message: 'Username or email already exists' },
  REGISTRATION_CLOSED: { status: 403, message: 'Registration is closed' },
  REGISTRATION_INVALID: { status: 400, message: '{problem}' },
  PASSWORD_TOO_COMMON: { status: 400, message: 'This password is too easy to guess' },
  PASSWORD_INVALID: { status: 400, message: '{problem}' },
  PASSWORD_WRONG: { status: 403, message: 'The password is not right' },
  TWO_FACTOR_CODE_REQUIRED: { status: 403, message: 'Enter the code of your authenticator app' },
  TWO_FACTOR_CODE_WRONG: { status: 403, message: 'This code is not valid' },
  TWO_FACTOR_ON_ALREADY: { status: 409, message: 'Two-factor authentication is on already' },
  TWO_FACTOR_NOT_STARTED: { status: 409, message: 'Set up two-factor authentication first' },
  SIGN_IN_ENDED: { status: 403, message: 'This sign-in has run out of time. Please start again.' },
  SETUP_TOKEN_INVALID: { status: 403, message: 'This set-up link is not valid any more' },
} as const

export const AccountReply = Type.Object({
  id: Type.String(),
  ownerid: Type.String(),
  username: Type.String(),
  email: Type.String(),
  displayName: Type.String(),
  role: Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('reseller')]),
  createdAt: EpochSeconds,
})

const UserType = Type.Union([Type.Literal('owner'), Type.Literal('reseller')])

const Code = Text(64, 1)

export const accountsContract = {
  login: defineCall({
    method: 'POST',
    path: '/login',
    access: 'anyone',
    limit: { perMinute: 60 },
    summary:
      'Sign in. `rememberMe` asks for a 30-day session; otherwise it lasts one hour after its last use. ' +
      'With two-factor authentication there is no session yet, but a `pendingToken` for POST /login/two-factor.',
    body: strict({
      username: Text(254),
      password: Text(1024),
      rememberMe: Type.Optional(Type.Boolean()),
    }),
    reply: reply({
      user: Type.Optional(AccountReply),
      userType: Type.Optional(UserType),
      twoFactorRequired: Type.Optional(Type.Literal(true)),
      pendingToken: Type.Optional(Type.String()),
    }),
    refusals: accountsRefusals,
  }),
  loginTwoFactor: defineCall({
    method: 'POST',
    path: '/login/two-factor',
    access: 'anyone',
    limit: { perMinute: 60 },
    summary: 'Finish signing in with a code of the authenticator app, or with a recovery code, which works once.',
    body: strict({
      pendingToken: Text(100, 1),
      code: Type.Optional(Code),
      recoveryCode: Type.Optional(Code),
    }),
    reply: reply({ user: AccountReply, userType: UserType }),
    refusals: accountsRefusals,
  }),
  register: defineCall({
    method: 'POST',
    path: '/register',
    access: 'anyone',
    limit: { perMinute: 20 },
    summary: 'Create an owner account and sign it in. `setupToken` is the one-time link of a first start.',
    body: strict({
      username: Text(1024),
      email: Text(1024),
      password: Text(1024),
      displayName: Text(1024),
      setupToken: Type.Optional(Text(100)),
    }),
    reply: reply({ user: AccountReply, userType: UserType }),
    refusals: accountsRefusals,
  }),
  logout: defineCall({
    method: 'POST',
    path: '/logout',
    access: 'anyone',
    summary: 'End the session it is given. Succeeds without one.',
    body: Type.Optional(strict({})),
    reply: reply({}),
  }),
  resellerLogout: defineCall({
    method: 'POST',
    path: '/reseller/logout',
    access: 'anyone',
    summary: 'The same under its name in the reseller area.',
    body: Type.Optional(strict({})),
    reply: reply({}),
  }),
  checkAuth: defineCall({
    method: 'GET',
    path: '/check-auth',
    access: 'account',
    summary: 'Who is signed in.',
    reply: reply({ user: AccountReply, userType: UserType }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof accountsContract> {}
}
