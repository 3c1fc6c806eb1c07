import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import {
  appFields,
  EpochSeconds,
  pageQuery,
  reply,
  RequiredText,
  strict,
  Text,
  wholeListFields,
  wholeListQuery,
} from '#contract/fields.ts'
import { LevelField } from '#contract/level-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { securityCalls } from '#features/accounts/account-security.contract.ts'
import { AccountReply, loginReply, loginSuccesses } from '#features/accounts/accounts.contract.ts'
import { licenseSorts } from '#features/licenses/licenses.rules.ts'
import { preferenceCalls } from '#features/preferences/preferences.contract.ts'
import {
  AssignedAppReply,
  historyFields,
  historyQuery,
  licenseStatsFields,
} from '#features/resellers/resellers.contract.ts'
import { resellerApiErrors } from './reseller-api.errors.ts'

/** Calls that resellers make, limited to their assigned apps. */

const OwnAppReply = Type.Object({
  ...AssignedAppReply.properties,
  lastSale: Type.Union(
    [Type.Object({ plan: Type.String(), subscriptionLevel: Type.Integer(), soldAt: EpochSeconds }), Type.Null()],
    { description: 'Plan and level of your newest license in this app' },
  ),
})

const signedIn = { user: AccountReply, userType: Type.Literal('reseller') }

const OwnLicenseReply = Type.Object({
  id: Type.String({ description: 'License key; use it as `id` to delete the license' }),
  license: Type.String(),
  licenseKey: Type.String(),
  appName: Type.String(),
  subscription: Type.Object({ level: Type.Integer(), name: Type.String() }),
  expiry: Type.Integer({ description: 'Duration that redeeming the license grants, in seconds' }),
  expiresAt: Type.Union([EpochSeconds, Type.Null()], {
    description: "When a redeemed license ends; null before it's redeemed, and for a lifetime license",
  }),
  notes: Type.String(),
  used: Type.Boolean(),
  usedBy: Type.String(),
  banned: Type.Boolean(),
  creationDate: EpochSeconds,
})

const OwnUserReply = Type.Object({
  username: Type.String(),
  email: Type.String(),
  hwid: Type.String({ description: 'First characters of the hash of the hardware ID; empty if no machine is bound' }),
  lastLoginDate: Type.Union([EpochSeconds, Type.Null()]),
  banned: Type.Boolean(),
  paused: Type.Boolean(),
  hasActiveSubscription: Type.Boolean(),
  status: Type.String(),
  accessUntil: Type.Union([EpochSeconds, Type.Null()], {
    description:
      'When the last subscription ends or ended, moving with the time of a paused user; null if it never ends, or there is none',
  }),
  timeLeft: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Remaining seconds, 0 without access; null if it never ends. Does not count down while the user is paused',
  }),
})

const Expiring = Type.Optional(Type.Literal('expiring', { description: 'Only those whose time ends within 7 days' }))

export const resellerApiContract = {
  setupLink: defineCall('GET /reseller/setup/{registrationToken}', {
    access: 'anyone',
    summary: 'Get the account that a setup link is for. Rejected if the link was used or replaced, or has expired.',
    params: strict({ registrationToken: Text(100, 1) }),
    reply: reply({ username: Type.String(), expiresAt: EpochSeconds }),
    errors: resellerApiErrors,
  }),
  setUp: defineCall('POST /reseller/setup/{registrationToken}', {
    access: 'anyone',
    summary: 'Set the email address and password with a setup link, which works once, and sign in.',
    params: strict({ registrationToken: Text(100, 1) }),
    body: strict({
      email: RequiredText(1024, 'EMAIL_REQUIRED'),
      password: RequiredText(1024, 'PASSWORD_REQUIRED'),
    }),
    reply: reply(signedIn),
    errors: resellerApiErrors,
    successes: { RESELLER_SETUP_OK: 'Account setup completed successfully!' },
    failure: 'Account setup failed',
  }),
  confirmEmail: defineCall('POST /reseller/confirm-email', {
    access: 'anyone',
    summary:
      'Confirm a new email address of a reseller with the link sent to it. The link works once and does not sign in.',
    body: strict({ token: Text(100, 1) }),
    reply: reply({ email: Type.String() }),
    errors: resellerApiErrors,
    successes: { RESELLER_EMAIL_OK: 'Your new email address is confirmed' },
    failure: 'Failed to confirm the email address',
  }),
  login: defineCall('POST /reseller/login', {
    access: 'anyone',
    summary:
      'Sign in as a reseller. `POST /login` also accepts resellers. With two-factor authentication, the reply holds a `pendingToken` for POST /login/two-factor instead of a session.',
    body: strict({
      username: RequiredText(254, 'LOGIN_FIELDS_REQUIRED'),
      password: RequiredText(1024, 'LOGIN_FIELDS_REQUIRED'),
      rememberMe: Type.Optional(Type.Boolean()),
    }),
    reply: loginReply,
    errors: resellerApiErrors,
    successes: loginSuccesses,
  }),
  checkAuth: defineCall('GET /reseller/check-auth', {
    access: 'reseller',
    duringMaintenance: true,
    summary: 'Get the signed-in reseller.',
    reply: reply(signedIn),
  }),
  dashboard: defineCall('GET /reseller/dashboard', {
    access: 'reseller',
    summary: 'List the assigned apps with credits, plans, subscriptions and the number of licenses.',
    reply: reply({
      dashboard: Type.Object({
        apps: Type.Array(OwnAppReply),
        totalCredits: Type.Integer(),
        stats: Type.Object(licenseStatsFields),
      }),
    }),
    failure: 'Failed to load dashboard',
  }),
  apps: defineCall('GET /reseller/apps', {
    access: 'reseller',
    summary: 'List the assigned apps.',
    reply: reply({ apps: Type.Array(OwnAppReply) }),
    failure: 'Failed to load apps',
  }),
  createLicenses: defineCall('POST /reseller/licenses/create', {
    access: 'reseller',
    app: true,
    idempotent: true,
    summary:
      'Create up to 1000 licenses of a plan, paid with credits. With an Idempotency-Key, a repeated call charges only once.',
    body: strict({
      ...appFields,
      subscriptionLevel: Type.Optional(LevelField),
      plan: RequiredText(10, 'PLAN_REQUIRED'),
      notes: Type.Optional(Text(500)),
      mask: Type.Optional(Text(500)),
      lowercase: Type.Optional(Type.Boolean()),
      uppercase: Type.Optional(Type.Boolean()),
      amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, rejection: 'AMOUNT_INVALID', exact: true })),
      expectedCost: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1e12,
          description: 'Credits that you expect to pay; the call is rejected if it would cost more or less',
        }),
      ),
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
  listLicenses: defineCall('GET /reseller/licenses', {
    access: 'reseller',
    app: true,
    summary:
      'List your licenses, one page at a time, newest first unless `sort` names another order. By `expiry`, licenses without an end, or not redeemed yet, are after all others.',
    query: strict({
      ...appFields,
      ...pageQuery,
      status: Expiring,
      redeemed: Type.Optional(Type.Boolean({ description: 'Whether they have been redeemed, banned or not' })),
      sort: sortField(licenseSorts),
    }),
    reply: reply({ licenses: Type.Array(OwnLicenseReply), totalPages: Type.Integer(), total: Type.Integer() }),
    failure: 'Failed to load licenses',
  }),
  deleteLicense: defineCall('DELETE /reseller/licenses/{id}', {
    access: 'reseller',
    app: 'optional',
    idempotent: true,
    summary:
      'Delete one of your unused licenses by its key and get its credits refunded. Without an app, the key is looked up in all assigned apps. With an Idempotency-Key, a repeated call gets the same reply.',
    params: strict({ id: Text(200, 1) }),
    query: strict({ ...appFields }),
    body: Type.Optional(strict({ ...appFields })),
    reply: reply({ refunded: Type.Integer(), remainingCredits: Type.Integer() }),
    errors: resellerApiErrors,
    successes: { LICENSE_DELETE_OK: 'License deleted successfully' },
    failure: 'Failed to delete license',
  }),
  licenseStats: defineCall('GET /reseller/licenses/stats', {
    access: 'reseller',
    app: 'optional',
    summary: 'Get the number of your licenses in an app. Without an app, in all assigned apps.',
    query: strict({ ...appFields }),
    reply: reply({ stats: Type.Object(licenseStatsFields) }),
    failure: 'Failed to load statistics',
  }),
  listUsers: defineCall('GET /reseller/users', {
    access: 'reseller',
    app: true,
    summary:
      'List the users who redeemed your licenses, newest first, all at once or one page at a time. `search` matches usernames and email addresses.',
    query: strict({ ...appFields, ...wholeListQuery, status: Expiring }),
    reply: reply({ users: Type.Array(OwnUserReply), ...wholeListFields }),
    failure: 'Failed to load users',
  }),
  resetHwid: defineCall('POST /reseller/users/{u}/reset-hwid', {
    access: 'reseller',
    app: true,
    summary: 'Unbind the machine of a user who redeemed one of your licenses.',
    params: strict({ u: Text(200, 1) }),
    body: strict({ ...appFields }),
    reply: reply({}),
    errors: resellerApiErrors,
    successes: { HWID_RESET_OK: 'HWID reset successfully' },
    failure: 'Failed to reset HWID',
  }),
  credits: defineCall('GET /reseller/credits', {
    access: 'reseller',
    app: true,
    summary: 'Get your credits in an app and the costs of its plans.',
    query: strict({ ...appFields }),
    reply: reply({
      credits: Type.Integer(),
      totalCredits: Type.Integer(),
      allowedPlans: Type.Array(Type.String()),
      planCosts: Type.Record(Type.String(), Type.Integer()),
      spentLast30Days: Type.Integer({ description: 'Credits spent on licenses in the last 30 days, less refunds' }),
      daysLeft: Type.Union([Type.Integer(), Type.Null()], {
        description: 'How many days the credits last at that pace; null if none were spent',
      }),
      low: Type.Boolean({ description: 'Fewer than 10 credits, or they last less than 7 days' }),
    }),
  }),
  creditHistory: defineCall('GET /reseller/credits/history', {
    access: 'reseller',
    app: true,
    summary: 'List the credit transactions of an app, newest first. For the next page, pass `next` as `before`.',
    query: strict({ ...appFields, ...historyQuery }),
    reply: reply(historyFields),
    failure: 'Failed to load transaction history',
  }),
}

/** Account security of resellers, the same as for owners. */
export const resellerSecurityContract = securityCalls('/reseller/profile', 'reseller')

export const resellerPreferencesContract = preferenceCalls('/reseller', 'reseller')

declare module '#contract/calls.ts' {
  interface Calls
    extends
      CallsOf<typeof resellerApiContract>,
      CallsOf<typeof resellerSecurityContract>,
      CallsOf<typeof resellerPreferencesContract> {}
  interface Codes extends CodesOf<typeof resellerApiContract> {}
}
