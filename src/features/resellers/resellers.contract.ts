import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { beforeField, EpochSeconds, pageQuery, reply, RequiredText, strict, Text } from '#contract/fields.ts'
import { Level } from '#contract/level-field.ts'
import { ResetLinkFields, resetLinkSuccess } from '#features/accounts/password-reset.contract.ts'
import { lowCredits, maxBalance, maxCredits } from '#features/credits/credits.rules.ts'
import { resellersErrors } from './resellers.errors.ts'
import { resellerStatuses } from './reseller-status.rules.ts'

/** Calls for owners to manage their resellers. */

const Plan = Text(10, 1)
const Costs = Type.Record(Type.String({ maxLength: 10 }), Type.Integer({ minimum: 0, maximum: maxCredits }))

export const AssignedAppReply = Type.Object({
  appId: Type.String(),
  appName: Type.String(),
  credits: Type.Integer(),
  totalCredits: Type.Integer(),
  allowedPlans: Type.Array(Type.String({ description: 'Number of days' })),
  planCosts: Type.Record(Type.String(), Type.Integer(), {
    description: 'Credits per license by plan; 0 is free. An allowed plan without a cost cannot be sold',
  }),
  allowedSubscriptions: Type.Array(Type.Integer(), {
    description: 'An empty list allows all levels. Only a 0 allows none: those that were allowed are deleted',
  }),
  subscriptions: Type.Record(Type.String(), Type.Object({ name: Type.String(), active: Type.Boolean() }), {
    description: 'Levels of the app by number; licenses of a paused level cannot be sold',
  }),
})

export const licenseStatsFields = {
  totalLicensesGenerated: Type.Integer(),
  total: Type.Integer(),
  used: Type.Integer(),
  unused: Type.Integer(),
  usage_rate: Type.Number({ description: 'Percent' }),
}

export const ResellerReply = Type.Object({
  id: Type.String(),
  resellerId: Type.String(),
  username: Type.String(),
  email: Type.String(),
  banned: Type.Boolean(),
  createdDate: EpochSeconds,
  setUp: Type.Boolean({ description: 'Whether the setup link has been used' }),
  setupExpiresAt: Type.Union([EpochSeconds, Type.Null()]),
  twoFactor: Type.Boolean({ description: 'Whether two-factor authentication is on' }),
  assignedApps: Type.Array(AssignedAppReply),
  stats: Type.Object({
    assignedApps: Type.Integer(),
    totalCredits: Type.Integer(),
    ...licenseStatsFields,
    licensesByApp: Type.Array(Type.Object({ appId: Type.String(), licenses: Type.Integer() }), {
      description: 'Apps in which the reseller has licenses, whether the app is still assigned or not',
    }),
  }),
  registrationToken: Type.Optional(Type.String({ description: 'Token of a newly created setup link' })),
})

export const TransactionReply = Type.Object({
  id: Type.Integer(),
  appName: Type.String(),
  transactionType: Type.String({ description: 'addition, deduction, set or refund' }),
  description: Type.String(),
  subscriptionLevel: Type.Union([Type.Integer(), Type.Null()]),
  timestamp: EpochSeconds,
  amount: Type.Integer({ description: 'Credits; negative when spent or removed' }),
})

export const historyQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Only transactions with a lower ID' }),
  ),
}

export const historyFields = {
  history: Type.Array(TransactionReply),
  next: Type.Union([Type.Integer(), Type.Null()], {
    description: 'ID to send as `before` for the next page; null on the last page',
  }),
}

const params = strict({ id: Text(60, 1) })
const appParams = strict({ id: Text(60, 1), app: Text(150, 1) })

/** Numbers sent as strings are rejected. */
const Credits = (minimum: number) =>
  Type.Integer({ minimum, maximum: maxCredits, typeRejection: 'CREDITS_INVALID', exact: true })

/** 0 is none, as in replies. */
const AllowedLevel = Type.Integer({ minimum: 0, maximum: 1_000_000 })

const configFields = {
  credits: Type.Optional(Credits(0)),
  allowedPlans: Type.Optional(Type.Array(Plan, { maxItems: 100 })),
  planCosts: Type.Optional(Costs),
  allowedSubscriptions: Type.Optional(Type.Array(AllowedLevel, { maxItems: 1000 })),
}

/** A balance may be higher than one call sets. */
const seenConfig = { ...configFields, credits: Type.Integer({ minimum: 0, maximum: maxBalance, exact: true }) }

const dataFlags = {
  deleteLicenses: Type.Optional(Type.Boolean()),
  deleteUsers: Type.Optional(Type.Boolean()),
}

const deletedFields = { deletedLicenses: Type.Integer(), deletedUsers: Type.Integer() }

const creditsCall = <const P extends string>(name: `POST ${P}`, summary: string, minimum: number) =>
  defineCall(name, {
    access: 'account',
    idempotent: true,
    summary,
    params,
    body: strict({ appName: Text(50, 1), subscriptionLevel: Type.Optional(Level), amount: Credits(minimum) }),
    reply: reply({ credits: Type.Integer(), totalCredits: Type.Integer() }),
    errors: resellersErrors,
    successes: { CREDITS_OK: 'Credits updated successfully' },
  })

const ResellerCounts = Type.Object(
  {
    total: Type.Integer(),
    active: Type.Integer(),
    invited: Type.Integer({ description: 'The setup link has not been used' }),
    banned: Type.Integer(),
    lowCredits: Type.Integer(),
    apps: Type.Array(Type.Object({ appId: Type.String(), appName: Type.String(), count: Type.Integer() }), {
      description: 'The 100 with the most resellers',
    }),
  },
  { description: 'Of all resellers, whatever the filter' },
)

export const resellersContract = {
  listResellers: defineCall('GET /resellers', {
    access: 'account',
    summary: 'List resellers, one page at a time, newest first. `search` matches usernames and email addresses.',
    query: strict({
      ...pageQuery,
      status: Type.Optional(listField(resellerStatuses)),
      assignedAppId: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Sells this app' })),
      credits: Type.Optional(
        Type.Literal('low', { description: `Has fewer than ${lowCredits} credits in an assigned app` }),
      ),
      sort: sortField(['username', 'email', 'created']),
    }),
    reply: reply({
      resellers: Type.Array(ResellerReply),
      totalPages: Type.Integer(),
      total: Type.Integer(),
      counts: ResellerCounts,
    }),
    failure: 'Failed to load resellers',
  }),
  createReseller: defineCall('POST /resellers/create', {
    access: 'account',
    recent: true,
    idempotent: true,
    summary:
      'Create a reseller. `registrationToken` is the token of a setup link that works once, within 7 days. Requires a recent sign-in.',
    body: strict({ username: RequiredText(1024, 'USERNAME_REQUIRED') }),
    reply: reply({ reseller: ResellerReply, username: Type.String(), registrationToken: Type.String() }),
    errors: resellersErrors,
    successes: { RESELLER_CREATE_OK: 'Reseller created successfully!' },
    failure: 'Failed to create reseller',
  }),
  renewSetup: defineCall('POST /resellers/{id}/setup-link', {
    access: 'account',
    recent: true,
    summary: 'Create a new setup link. The previous link stops working. Requires a recent sign-in.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({ registrationToken: Type.String(), username: Type.String(), setupExpiresAt: EpochSeconds }),
    errors: resellersErrors,
    successes: { SETUP_LINK_OK: 'A new setup link was created' },
  }),
  startResellerReset: defineCall('POST /resellers/{id}/password-reset', {
    access: 'account',
    recent: true,
    summary:
      'Email the reseller a password reset link. If the server does not send email, the reply holds the link for you to pass on. The link is shown only once, works once within 30 minutes, and replaces earlier links.',
    params,
    body: Type.Optional(strict({})),
    reply: reply(ResetLinkFields),
    errors: resellersErrors,
    successes: {
      RESELLER_RESET_OK: 'Password reset link sent to the reseller',
      ...resetLinkSuccess,
    },
  }),
  turnOffResellerTwoFactor: defineCall('POST /resellers/{id}/two-factor/disable', {
    access: 'account',
    recent: true,
    summary:
      'Turn off two-factor authentication for a reseller who lost the authenticator app and the recovery codes. The password does not change, and the reseller is notified by email. Requires a recent sign-in.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({}),
    errors: resellersErrors,
    successes: { TWO_FACTOR_OFF_OK: 'Two-factor authentication is off' },
  }),
  getReseller: defineCall('GET /resellers/{id}', {
    access: 'account',
    summary: 'Get a reseller with its apps.',
    params,
    reply: reply({ reseller: ResellerReply }),
    errors: resellersErrors,
    failure: 'Failed to load reseller details',
  }),
  getResellerByUsername: defineCall('GET /resellers/by-username/{username}', {
    access: 'account',
    summary: 'Get a reseller by username.',
    params: strict({ username: Text(200, 1) }),
    reply: reply({ reseller: ResellerReply }),
    errors: resellersErrors,
    failure: 'Failed to load reseller details',
  }),
  updateReseller: defineCall('PUT /resellers/{id}', {
    access: 'account',
    summary:
      'Update the email address of a reseller, or ban the reseller. Omitted fields keep their value. Changing the email address requires a recent sign-in. The new address takes effect when the link sent to it is confirmed within 24 hours; without a mail server, immediately.',
    params,
    body: strict({ email: Type.Optional(Text(1024)), banned: Type.Optional(Type.Boolean()) }),
    reply: reply({
      email: Type.String(),
      pendingEmail: Type.Union([Type.String(), Type.Null()], {
        description: 'New email address that is not confirmed yet',
      }),
      banned: Type.Boolean(),
    }),
    errors: resellersErrors,
    successes: {
      RESELLER_UPDATE_OK: 'Reseller updated successfully',
      RESELLER_EMAIL_SENT: 'A confirmation link was sent to the new address',
    },
    failure: 'Failed to update reseller status',
  }),
  deleteReseller: defineCall('DELETE /resellers/{id}', {
    access: 'account',
    summary:
      'Delete a reseller. `deleteLicenses` and `deleteUsers` also delete its licenses and their users; send them in the body or the query.',
    params,
    query: strict(dataFlags),
    body: Type.Optional(strict(dataFlags)),
    reply: reply(deletedFields),
    errors: resellersErrors,
    successes: { RESELLER_DELETE_OK: 'Reseller deleted successfully' },
    failure: 'Failed to delete reseller',
  }),
  banReseller: defineCall('POST /resellers/{id}/ban', {
    access: 'account',
    summary:
      'Ban or unban a reseller. `banned` sets the state; without it, the state is toggled. A ban ends live sessions immediately.',
    params,
    body: Type.Optional(strict({ banned: Type.Optional(Type.Boolean()) })),
    reply: reply({ banned: Type.Boolean() }),
    errors: resellersErrors,
    successes: {
      RESELLER_BAN_OK: 'Reseller banned successfully',
      RESELLER_UNBAN_OK: 'Reseller unbanned successfully',
    },
    failure: 'Failed to update reseller status',
  }),
  assignApp: defineCall('POST /resellers/{id}/apps', {
    access: 'account',
    idempotent: true,
    summary:
      'Assign an app to a reseller with credits, plans (in days), their costs, and levels (an empty list allows all).',
    params,
    body: strict({ appName: Text(50, 1), ...configFields }),
    reply: reply({ assignedApps: Type.Array(AssignedAppReply) }),
    errors: resellersErrors,
    successes: { APP_ASSIGN_OK: 'App assigned successfully!' },
    failure: 'Failed to assign app',
  }),
  configureApp: defineCall('PUT /resellers/{id}/apps/{app}', {
    access: 'account',
    summary:
      'Update the credits of a reseller in an app, and what the reseller may sell. Omitted fields keep their value.',
    params: appParams,
    body: strict({ ...configFields, ...beforeField(seenConfig) }),
    reply: reply({ assignedApps: Type.Array(AssignedAppReply) }),
    errors: resellersErrors,
    successes: { APP_CONFIGURE_OK: 'Configuration updated successfully' },
    failure: 'Failed to update configuration',
  }),
  unassignApp: defineCall('DELETE /resellers/{id}/apps/{app}', {
    access: 'account',
    summary:
      'Remove an app from a reseller. `deleteData` also deletes the licenses the reseller created in it and their users.',
    params: appParams,
    query: strict({ deleteData: Type.Optional(Type.Boolean()), ...dataFlags }),
    body: Type.Optional(strict({ deleteData: Type.Optional(Type.Boolean()), ...dataFlags })),
    reply: reply(deletedFields),
    errors: resellersErrors,
    successes: {
      APP_REMOVE_OK: 'App removed successfully',
      APP_REMOVE_DATA_OK: 'App removed successfully (licenses and users also removed)',
    },
    failure: 'Failed to remove app',
  }),
  addCredits: creditsCall('POST /resellers/{id}/credits/add', 'Add credits of one app to a reseller.', 1),
  setCredits: creditsCall('POST /resellers/{id}/credits/set', 'Set the credits of a reseller in one app.', 0),
  creditHistory: defineCall('GET /resellers/{id}/credits/history', {
    access: 'account',
    summary:
      'List the credit transactions of a reseller, newest first, of all apps or one. For the next page, pass `next` as `before`.',
    params,
    query: strict({
      ...historyQuery,
      appName: Type.Optional(Text(50, 1)),
    }),
    reply: reply(historyFields),
    errors: resellersErrors,
    failure: 'Failed to load transaction history',
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof resellersContract> {}
  interface Codes extends CodesOf<typeof resellersContract> {}
}
