import { Type } from 'typebox'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import {
  appFields,
  EpochSeconds,
  pageQuery,
  reply,
  strict,
  Text,
  wholeListFields,
  wholeListQuery,
} from '#contract/fields.ts'
import { LevelField } from '#contract/level-field.ts'
import { securityCalls } from '#features/accounts/account-security.contract.ts'
import { AccountReply, loginReply, loginSuccesses } from '#features/accounts/accounts.contract.ts'
import {
  AssignedAppReply,
  historyFields,
  historyQuery,
  licenseStatsFields,
} from '#features/resellers/resellers.contract.ts'
import { resellerApiErrors } from './reseller-api.errors.ts'

/** What a reseller does, in assigned apps alone. */

const signedIn = { user: AccountReply, userType: Type.Literal('reseller') }

const OwnLicenseReply = Type.Object({
  id: Type.String({ description: 'The key: what DELETE takes' }),
  license: Type.String(),
  licenseKey: Type.String(),
  appName: Type.String(),
  subscription: Type.Object({ level: Type.Integer(), name: Type.String() }),
  expiry: Type.Integer({ description: 'Seconds that redeeming gives' }),
  notes: Type.String(),
  used: Type.Boolean(),
  usedBy: Type.String(),
  banned: Type.Boolean(),
  creationDate: EpochSeconds,
})

const OwnUserReply = Type.Object({
  username: Type.String(),
  email: Type.String(),
  hwid: Type.String({ description: 'The first characters of its hash; empty without one' }),
  lastLoginDate: Type.Union([EpochSeconds, Type.Null()]),
  banned: Type.Boolean(),
  paused: Type.Boolean(),
  hasActiveSubscription: Type.Boolean(),
  status: Type.String(),
})

export const resellerApiContract = {
  setupLink: defineCall({
    method: 'GET',
    path: '/reseller/setup/{registrationToken}',
    access: 'anyone',
    summary: 'Whose account a set-up link sets up; refused when it was used, replaced or has expired.',
    params: strict({ registrationToken: Text(100, 1) }),
    reply: reply({ username: Type.String(), expiresAt: EpochSeconds }),
    errors: resellerApiErrors,
  }),
  setUp: defineCall({
    method: 'POST',
    path: '/reseller/setup/{registrationToken}',
    access: 'anyone',
    summary: 'Set address and password by the set-up link, once, and sign in.',
    params: strict({ registrationToken: Text(100, 1) }),
    body: strict({ email: Text(1024), password: Text(1024) }),
    reply: reply(signedIn),
    errors: resellerApiErrors,
    successes: { RESELLER_SETUP_OK: 'Account setup completed successfully!' },
    failure: 'Account setup failed',
  }),
  confirmEmail: defineCall({
    method: 'POST',
    path: '/reseller/confirm-email',
    access: 'anyone',
    summary: 'Confirm another address of a reseller by the link mailed to it, which counts once. Signs nobody in.',
    body: strict({ token: Text(100, 1) }),
    reply: reply({ email: Type.String() }),
    errors: resellerApiErrors,
    successes: { RESELLER_EMAIL_OK: 'Your new email address is confirmed' },
    failure: 'Failed to confirm the email address',
  }),
  login: defineCall({
    method: 'POST',
    path: '/reseller/login',
    access: 'anyone',
    summary:
      'Sign a reseller in. `POST /login` does so too. With two-factor authentication there is no session yet, but a ' +
      '`pendingToken` for POST /login/two-factor.',
    body: strict({ username: Text(254), password: Text(1024), rememberMe: Type.Optional(Type.Boolean()) }),
    reply: loginReply,
    errors: resellerApiErrors,
    successes: loginSuccesses,
  }),
  checkAuth: defineCall({
    method: 'GET',
    path: '/reseller/check-auth',
    access: 'reseller',
    duringMaintenance: true,
    summary: 'Which reseller is signed in.',
    reply: reply(signedIn),
  }),
  dashboard: defineCall({
    method: 'GET',
    path: '/reseller/dashboard',
    access: 'reseller',
    summary: 'The assigned apps with credits, plans and subscriptions, and how many licenses there are.',
    reply: reply({
      dashboard: Type.Object({
        apps: Type.Array(AssignedAppReply),
        totalCredits: Type.Integer(),
        stats: Type.Object(licenseStatsFields),
      }),
    }),
    failure: 'Failed to load dashboard',
  }),
  apps: defineCall({
    method: 'GET',
    path: '/reseller/apps',
    access: 'reseller',
    summary: 'The assigned apps.',
    reply: reply({ apps: Type.Array(AssignedAppReply) }),
    failure: 'Failed to load apps',
  }),
  createLicenses: defineCall({
    method: 'POST',
    path: '/reseller/licenses/create',
    access: 'reseller',
    app: true,
    idempotent: true,
    summary: 'Make up to 1000 licenses of a plan for credits. With an Idempotency-Key a repeated call sells once.',
    body: strict({
      ...appFields,
      subscriptionLevel: Type.Optional(LevelField),
      plan: Text(10),
      notes: Type.Optional(Text(500)),
      mask: Type.Optional(Text(500)),
      lowercase: Type.Optional(Type.Boolean()),
      uppercase: Type.Optional(Type.Boolean()),
      amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, rejection: 'AMOUNT_INVALID', exact: true })),
    }),
    reply: reply({
      licenses: Type.Array(Type.String()),
      creditInfo: Type.Object({ remainingCredits: Type.Integer(), cost: Type.Integer() }),
    }),
    errors: resellerApiErrors,
    successes: {
      LICENSE_GENERATE_OK: 'License generated successfully!',
      LICENSES_CREATE_OK:
        '{count, plural, one {Created # license successfully} other {Created # licenses successfully}}',
    },
    failure: 'Failed to generate license',
  }),
  listLicenses: defineCall({
    method: 'GET',
    path: '/reseller/licenses',
    access: 'reseller',
    app: true,
    summary: 'A page of the own licenses, newest first.',
    query: strict({ ...appFields, ...pageQuery }),
    reply: reply({ licenses: Type.Array(OwnLicenseReply), totalPages: Type.Integer(), total: Type.Integer() }),
    failure: 'Failed to load licenses',
  }),
  deleteLicense: defineCall({
    method: 'DELETE',
    path: '/reseller/licenses/{id}',
    access: 'reseller',
    app: 'optional',
    idempotent: true,
    summary:
      'Delete an own unused license by its key; what was paid for it comes back. Without an app, the key is looked for in all assigned apps. With an Idempotency-Key a repeated call gets the same answer.',
    params: strict({ id: Text(200, 1) }),
    query: strict({ ...appFields }),
    body: Type.Optional(strict({ ...appFields })),
    reply: reply({ refunded: Type.Integer(), remainingCredits: Type.Integer() }),
    errors: resellerApiErrors,
    successes: { LICENSE_DELETE_OK: 'License deleted successfully' },
    failure: 'Failed to delete license',
  }),
  licenseStats: defineCall({
    method: 'GET',
    path: '/reseller/licenses/stats',
    access: 'reseller',
    app: 'optional',
    summary: 'How many own licenses there are in the app; without one, in all assigned apps.',
    query: strict({ ...appFields }),
    reply: reply({ stats: Type.Object(licenseStatsFields) }),
    failure: 'Failed to load statistics',
  }),
  listUsers: defineCall({
    method: 'GET',
    path: '/reseller/users',
    access: 'reseller',
    app: true,
    summary:
      'The users who redeemed own licenses or a page of them, newest first. `search` looks inside names and addresses.',
    query: strict({ ...appFields, ...wholeListQuery }),
    reply: reply({ users: Type.Array(OwnUserReply), ...wholeListFields }),
    failure: 'Failed to load users',
  }),
  resetHwid: defineCall({
    method: 'POST',
    path: '/reseller/users/{u}/reset-hwid',
    access: 'reseller',
    app: true,
    summary: 'Unbind the machine of a user who redeemed an own license.',
    params: strict({ u: Text(200, 1) }),
    body: strict({ ...appFields }),
    reply: reply({}),
    errors: resellerApiErrors,
    successes: { HWID_RESET_OK: 'HWID reset successfully' },
    failure: 'Failed to reset HWID',
  }),
  credits: defineCall({
    method: 'GET',
    path: '/reseller/credits',
    access: 'reseller',
    app: true,
    summary: 'The credits of an app and what its plans cost.',
    query: strict({ ...appFields }),
    reply: reply({
      credits: Type.Integer(),
      totalCredits: Type.Integer(),
      allowedPlans: Type.Array(Type.String()),
      planCosts: Type.Record(Type.String(), Type.Integer()),
    }),
  }),
  creditHistory: defineCall({
    method: 'GET',
    path: '/reseller/credits/history',
    access: 'reseller',
    app: true,
    summary:
      'What happened to the credits of an app, newest first. The page after this one begins `before` its `next`.',
    query: strict({ ...appFields, ...historyQuery }),
    reply: reply(historyFields),
    failure: 'Failed to load transaction history',
  }),
}

/** How a reseller protects the own account, as an owner does. */
export const resellerSecurityContract = securityCalls('/reseller/profile', 'reseller')

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof resellerApiContract>, CallsOf<typeof resellerSecurityContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof resellerApiContract> {}
}
