import { Type } from 'typebox'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { beforeField, EpochSeconds, pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { Level } from '#contract/level-field.ts'
import { ResetLinkFields, resetLinkSuccess } from '#features/accounts/password-reset.contract.ts'
import { maxCredits } from '#features/credits/credits.rules.ts'
import { resellersErrors } from './resellers.errors.ts'
import { defaultPrimaryColor, defaultSecondaryColor } from './resellers.rules.ts'

/** Resellers as their owner manages them. */

const Plan = Text(10, 1)
const Costs = Type.Record(Type.String({ maxLength: 10 }), Type.Integer({ minimum: 0, maximum: maxCredits }))

export const AssignedAppReply = Type.Object({
  appId: Type.String(),
  appName: Type.String(),
  credits: Type.Integer(),
  totalCredits: Type.Integer(),
  allowedPlans: Type.Array(Type.String({ description: 'A number of days' })),
  planCosts: Type.Record(Type.String(), Type.Integer(), {
    description: 'Credits by plan; 0 is free. An allowed plan without a cost is not for sale',
  }),
  allowedSubscriptions: Type.Array(Type.Integer(), { description: 'None means all' }),
  subscriptions: Type.Record(Type.String(), Type.Object({ name: Type.String(), active: Type.Boolean() }), {
    description: 'The levels of the app; a paused one is not for sale',
  }),
})

export const licenseStatsFields = {
  totalLicensesGenerated: Type.Integer(),
  total: Type.Integer(),
  used: Type.Integer(),
  unused: Type.Integer(),
  usage_rate: Type.Number({ description: 'Per cent' }),
}

export const ResellerReply = Type.Object({
  id: Type.String(),
  resellerId: Type.String(),
  username: Type.String(),
  email: Type.String(),
  banned: Type.Boolean(),
  createdDate: EpochSeconds,
  setUp: Type.Boolean({ description: 'The set-up link was used' }),
  setupExpiresAt: Type.Union([EpochSeconds, Type.Null()]),
  twoFactor: Type.Boolean({ description: 'Two-factor authentication is on' }),
  assignedApps: Type.Array(AssignedAppReply),
  stats: Type.Object({ assignedApps: Type.Integer(), totalCredits: Type.Integer(), ...licenseStatsFields }),
  registrationToken: Type.Optional(Type.String({ description: 'Of a set-up link that was just made' })),
})

export const TransactionReply = Type.Object({
  id: Type.Integer(),
  appName: Type.String(),
  transactionType: Type.String({ description: 'addition, deduction, set or refund' }),
  description: Type.String(),
  subscriptionLevel: Type.Union([Type.Integer(), Type.Null()]),
  timestamp: EpochSeconds,
  amount: Type.Integer({ description: 'Negative where credits went away' }),
})

export const historyQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Only those of smaller ids' }),
  ),
}

export const historyFields = {
  history: Type.Array(TransactionReply),
  next: Type.Union([Type.Integer(), Type.Null()], { description: 'The last id, where there are more; or null' }),
}

export const ResellerDomainReply = Type.Object({
  domain: Type.String(),
  companyName: Type.String(),
  logoUrl: Type.String(),
  primaryColor: Type.String(),
  secondaryColor: Type.String(),
  proved: Type.Boolean({ description: 'The TXT record was found; the domain counts only then' }),
  proofMissingSince: Type.Union([EpochSeconds, Type.Null()], {
    description: 'Of a proved domain: since when its TXT record is missing; after 7 days it is not proved any more',
  }),
  lostAt: Type.Union([EpochSeconds, Type.Null()], { description: 'Since when it is not proved any more' }),
  cnameTarget: Type.String({ description: 'Empty while PUBLIC_URL names an address and no host' }),
  proof: Type.Object({ name: Type.String(), value: Type.String() }),
})

const params = strict({ id: Text(60, 1) })
const appParams = strict({ id: Text(60, 1), app: Text(150, 1) })

/** R-LED-03: a number, not the text of one. */
const Credits = (minimum: number) =>
  Type.Integer({ minimum, maximum: maxCredits, rejection: 'CREDITS_INVALID', exact: true })

const configFields = {
  credits: Type.Optional(Credits(0)),
  allowedPlans: Type.Optional(Type.Array(Plan, { maxItems: 100 })),
  planCosts: Type.Optional(Costs),
  allowedSubscriptions: Type.Optional(Type.Array(Level, { maxItems: 1000 })),
}

const dataFlags = {
  deleteLicenses: Type.Optional(Type.Boolean()),
  deleteUsers: Type.Optional(Type.Boolean()),
}

const deletedFields = { deletedLicenses: Type.Integer(), deletedUsers: Type.Integer() }

const creditsCall = <const P extends string>(path: P, summary: string, minimum: number) =>
  defineCall({
    method: 'POST',
    path,
    access: 'account',
    idempotent: true,
    summary,
    params,
    body: strict({ appName: Text(50, 1), subscriptionLevel: Type.Optional(Level), amount: Credits(minimum) }),
    reply: reply({ credits: Type.Integer(), totalCredits: Type.Integer() }),
    errors: resellersErrors,
    successes: { CREDITS_OK: 'Credits updated successfully' },
  })

const Color = (standard: string) => Type.Optional(Type.String({ maxLength: 20, default: standard }))

const domainFields = {
  domain: Text(1000),
  companyName: Type.Optional(Text(100)),
  logoUrl: Type.Optional(Text(1000)),
  primaryColor: Color(defaultPrimaryColor),
  secondaryColor: Color(defaultSecondaryColor),
}

export const resellersContract = {
  listResellers: defineCall({
    method: 'GET',
    path: '/resellers',
    access: 'account',
    summary: 'A page of resellers, newest first. `search` looks inside names and addresses.',
    query: strict(pageQuery),
    reply: reply({ resellers: Type.Array(ResellerReply), totalPages: Type.Integer(), total: Type.Integer() }),
    failure: 'Failed to load resellers',
  }),
  createReseller: defineCall({
    method: 'POST',
    path: '/resellers/create',
    access: 'account',
    recent: true,
    idempotent: true,
    summary:
      'Create a reseller. `registrationToken` belongs to a set-up link that works once, within 7 days. Needs a recent sign-in.',
    body: strict({ username: Text(1024) }),
    reply: reply({ reseller: ResellerReply, username: Type.String(), registrationToken: Type.String() }),
    errors: resellersErrors,
    successes: { RESELLER_CREATE_OK: 'Reseller created successfully!' },
    failure: 'Failed to create reseller',
  }),
  renewSetup: defineCall({
    method: 'POST',
    path: '/resellers/{id}/setup-link',
    access: 'account',
    summary: 'A new set-up link; the one before stops working.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({ registrationToken: Type.String(), username: Type.String(), setupExpiresAt: EpochSeconds }),
    errors: resellersErrors,
    successes: { SETUP_LINK_OK: 'A new setup link was created' },
  }),
  startResellerReset: defineCall({
    method: 'POST',
    path: '/resellers/{id}/password-reset',
    access: 'account',
    recent: true,
    summary:
      'Have a link for a new password mailed to the reseller. While the server sends no mail, the reply holds the link, ' +
      'to be passed on: it is shown this once, works once and for 30 minutes, and replaces earlier ones.',
    params,
    body: Type.Optional(strict({})),
    reply: reply(ResetLinkFields),
    errors: resellersErrors,
    successes: {
      RESELLER_RESET_OK: 'A link for a new password is on its way to the reseller',
      ...resetLinkSuccess,
    },
  }),
  turnOffResellerTwoFactor: defineCall({
    method: 'POST',
    path: '/resellers/{id}/two-factor/disable',
    access: 'account',
    recent: true,
    summary:
      'Turn two-factor authentication off for a reseller who has lost the authenticator app and the recovery codes. ' +
      'The password stays; the reseller is mailed. Needs a recent sign-in.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({}),
    errors: resellersErrors,
    successes: { TWO_FACTOR_OFF_OK: 'Two-factor authentication is off' },
  }),
  getReseller: defineCall({
    method: 'GET',
    path: '/resellers/{id}',
    access: 'account',
    summary: 'One reseller with its apps.',
    params,
    reply: reply({ reseller: ResellerReply }),
    errors: resellersErrors,
    failure: 'Failed to load reseller details',
  }),
  getResellerByUsername: defineCall({
    method: 'GET',
    path: '/resellers/by-username/{username}',
    access: 'account',
    summary: 'The same by username.',
    params: strict({ username: Text(200, 1) }),
    reply: reply({ reseller: ResellerReply }),
    errors: resellersErrors,
    failure: 'Failed to load reseller details',
  }),
  updateReseller: defineCall({
    method: 'PUT',
    path: '/resellers/{id}',
    access: 'account',
    summary:
      'Change the email address, or ban; fields left out stay. Another address needs a recent sign-in. It replaces the ' +
      'current one when the link mailed to it is confirmed, within 24 hours; without a mail server it does so at once.',
    params,
    body: strict({ email: Type.Optional(Text(1024)), banned: Type.Optional(Type.Boolean()) }),
    reply: reply({
      email: Type.String(),
      pendingEmail: Type.Union([Type.String(), Type.Null()], { description: 'The address that waits for its link' }),
      banned: Type.Boolean(),
    }),
    errors: resellersErrors,
    successes: {
      RESELLER_UPDATE_OK: 'Reseller updated successfully',
      RESELLER_EMAIL_SENT: 'A confirmation link was sent to the new address',
    },
    failure: 'Failed to update reseller status',
  }),
  deleteReseller: defineCall({
    method: 'DELETE',
    path: '/resellers/{id}',
    access: 'account',
    summary: 'Delete a reseller; either flag also deletes its licenses and their users. They may stand in the query.',
    params,
    query: strict(dataFlags),
    body: Type.Optional(strict(dataFlags)),
    reply: reply(deletedFields),
    errors: resellersErrors,
    successes: { RESELLER_DELETE_OK: 'Reseller deleted successfully' },
    failure: 'Failed to delete reseller',
  }),
  banReseller: defineCall({
    method: 'POST',
    path: '/resellers/{id}/ban',
    access: 'account',
    summary: 'Ban or unban. A ban ends live sessions at once; `banned` asks for a state.',
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
  assignApp: defineCall({
    method: 'POST',
    path: '/resellers/{id}/apps',
    access: 'account',
    idempotent: true,
    summary: 'Give a reseller an app with credits, plans of so many days, their costs and levels (none means all).',
    params,
    body: strict({ appName: Text(50, 1), ...configFields }),
    reply: reply({ assignedApps: Type.Array(AssignedAppReply) }),
    errors: resellersErrors,
    successes: { APP_ASSIGN_OK: 'App assigned successfully!' },
    failure: 'Failed to assign app',
  }),
  configureApp: defineCall({
    method: 'PUT',
    path: '/resellers/{id}/apps/{app}',
    access: 'account',
    summary: 'Change what a reseller may sell of an app, and the credits; fields left out stay.',
    params: appParams,
    body: strict({ ...configFields, ...beforeField(configFields) }),
    reply: reply({ assignedApps: Type.Array(AssignedAppReply) }),
    errors: resellersErrors,
    successes: { APP_CONFIGURE_OK: 'Configuration updated successfully' },
    failure: 'Failed to update configuration',
  }),
  unassignApp: defineCall({
    method: 'DELETE',
    path: '/resellers/{id}/apps/{app}',
    access: 'account',
    summary: 'Take an app away; `deleteData` also deletes the licenses made with it and their users.',
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
  addCredits: creditsCall('/resellers/{id}/credits/add', 'Give credits of one app.', 1),
  setCredits: creditsCall('/resellers/{id}/credits/set', 'Make the credits of one app a number.', 0),
  creditHistory: defineCall({
    method: 'GET',
    path: '/resellers/{id}/credits/history',
    access: 'account',
    summary:
      'What happened to the credits, newest first; of one app when it is named. The page after this one begins `before` its `next`.',
    params,
    query: strict({
      ...historyQuery,
      appName: Type.Optional(Text(50, 1)),
    }),
    reply: reply(historyFields),
    errors: resellersErrors,
    failure: 'Failed to load transaction history',
  }),
  getDomain: defineCall({
    method: 'GET',
    path: '/resellers/{id}/domain',
    access: 'account',
    summary: 'The custom domain of a reseller, null without one.',
    params,
    reply: reply({ domain: Type.Union([ResellerDomainReply, Type.Null()]) }),
    errors: resellersErrors,
  }),
  saveDomain: defineCall({
    method: 'POST',
    path: '/resellers/{id}/domain',
    access: 'account',
    planFeature: 'custom_branding',
    summary: 'Set the custom domain and its branding. It counts once a TXT record proves whose it is.',
    params,
    body: strict({ ...domainFields, ...beforeField(domainFields) }),
    reply: reply({ domain: ResellerDomainReply }),
    errors: resellersErrors,
    successes: { DOMAIN_SAVE_OK: 'Domain configuration saved successfully' },
    failure: 'Failed to save domain configuration',
  }),
  checkDomain: defineCall({
    method: 'POST',
    path: '/resellers/{id}/domain/check',
    access: 'account',
    summary: 'Look for the TXT record that proves whose the domain is; from then on it is nobody else’s.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({ domain: ResellerDomainReply }),
    errors: resellersErrors,
    successes: { DOMAIN_PROVED_OK: 'The domain is verified' },
  }),
  deleteDomain: defineCall({
    method: 'DELETE',
    path: '/resellers/{id}/domain',
    access: 'account',
    summary: 'Remove the custom domain and its branding.',
    params,
    body: Type.Optional(strict({})),
    reply: reply({}),
    errors: resellersErrors,
    successes: { DOMAIN_DELETE_OK: 'Domain deleted successfully' },
    failure: 'Failed to delete domain',
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof resellersContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof resellersContract> {}
}
