import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, pageQuery, reply, RequiredText, strict, Text } from '#contract/fields.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { ownerErrors, ownerResetErrors } from '#features/accounts/accounts.errors.ts'
import { ResetLinkFields, resetLinkSuccess } from '#features/accounts/password-reset.contract.ts'
import { PlanFeatures, PlanReply } from '#features/plans/plans.contract.ts'
import { plansErrors } from '#features/plans/plans.errors.ts'
import { planUseFields } from '#features/profile/profile.contract.ts'

/** Administration of owners and plans. */

const OwnerId = strict({ id: Text(40, 1) })
const PlanId = strict({ id: Text(100, 1) })
const Nothing = Type.Optional(strict({}))

const OwnerReply = Type.Object({
  id: Type.String(),
  ownerid: Type.String(),
  username: Type.String(),
  email: Type.String(),
  role: Type.Union([Type.Literal('owner'), Type.Literal('admin')]),
  banned: Type.Boolean(),
  createdDate: EpochSeconds,
  subscriptionType: Type.Array(Type.String(), { description: 'Name of the current plan' }),
  planDisplayName: Type.String(),
  planExpiresAt: Type.Union([EpochSeconds, Type.Null()]),
  prioritySupport: Type.Boolean({ description: 'Whether the current plan includes priority support' }),
  stats: Type.Object({ apps: Type.Integer(), users: Type.Integer(), licenses: Type.Integer() }),
})

/** What a list of owners distinguishes; a banned administrator is banned. */
export const ownerStates = ['active', 'banned', 'admin'] as const

/** Epoch seconds; null for a plan that does not expire. */
const PlanEnd = Type.Union([EpochSeconds, Type.Null()])

const { OWNER_NOT_FOUND, OWNER_IS_ADMIN } = ownerErrors
const ownersErrors = { OWNER_NOT_FOUND, OWNER_IS_ADMIN }

const Limit = Type.Integer({ minimum: -1, maximum: 1e9, description: '-1 for unlimited' })
const Limits = Type.Partial(
  Type.Object({
    max_apps: Limit,
    max_users_per_app: Limit,
    max_licenses_per_app: Limit,
    max_variables_per_app: Limit,
    max_storage_mb: Type.Integer({ minimum: 1, maximum: 1e7 }),
  }),
  { additionalProperties: false },
)
const Features = Type.Partial(PlanFeatures, { additionalProperties: false })
const changeable = {
  displayName: Type.Optional(Text(500)),
  price: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6 })),
  order: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  active: Type.Optional(Type.Boolean()),
  limits: Type.Optional(Limits),
  features: Type.Optional(Features),
}
const plansReply = reply({ plans: Type.Array(PlanReply) })

export const adminContract = {
  listOwners: defineCall('GET /admin/owners', {
    access: 'admin',
    summary:
      'List owners, newest first unless `sort` says otherwise. `search` matches names, email addresses and owner IDs.',
    query: strict({
      ...pageQuery,
      planName: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1019,
          description: 'Name of the current plan, or several of them, separated by commas',
        }),
      ),
      status: Type.Optional(listField(ownerStates)),
      from: Type.Optional({ ...EpochSeconds, description: 'Registered at this time or later' }),
      until: Type.Optional({ ...EpochSeconds, description: 'Registered at this time or earlier' }),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3650, description: 'Registered in the last number of days' }),
      ),
      planEnds: Type.Optional(Type.Literal('week', { description: 'The plan ends within 7 days' })),
      limits: Type.Optional(
        Type.Literal('near', { description: 'At least 80% of a limit is used, as `GET /admin/needs` counts' }),
      ),
      growth: Type.Optional(
        Type.Union([Type.Literal('apps'), Type.Literal('licenses'), Type.Literal('users'), Type.Literal('signIns')], {
          description:
            'The owner created apps, licenses or users that still exist, or the programs of the owner had sign-ins, as `GET /admin/growth` counts them',
        }),
      ),
      growthFrom: Type.Optional({ ...EpochSeconds, description: 'With `growth`: at this time or later' }),
      growthUntil: Type.Optional({
        ...EpochSeconds,
        description: 'With `growth`: at this time or earlier. Sign-ins are found by the hour',
      }),
      sort: sortField(['owner', 'plan', 'created']),
    }),
    reply: reply({ owners: Type.Array(OwnerReply), total: Type.Integer(), totalPages: Type.Integer() }),
  }),
  getOwner: defineCall('GET /admin/owners/{id}', {
    access: 'admin',
    summary: 'Get an owner with the use of the plan and the latest sign-in.',
    params: OwnerId,
    reply: reply({
      owner: OwnerReply,
      twoFactor: Type.Boolean({ description: 'Whether two-factor authentication is on' }),
      lastSignInAt: Type.Union([EpochSeconds, Type.Null()], { description: 'Null if the owner never signed in' }),
      ...planUseFields,
      storage: Type.Object({
        usedBytes: Type.Integer(),
        limitBytes: Type.Integer({ description: '-1 for unlimited' }),
      }),
    }),
    errors: { OWNER_NOT_FOUND },
  }),
  banOwner: defineCall('POST /admin/owners/{id}/ban', {
    access: 'admin',
    summary:
      'Ban or unban an owner. `banned` sets the state; without it, the state is toggled. A ban ends the sessions of the owner; programs and seller keys are rejected.',
    params: OwnerId,
    body: Type.Optional(strict({ banned: Type.Optional(Type.Boolean()) })),
    reply: reply({ banned: Type.Boolean() }),
    errors: ownersErrors,
    successes: { OWNER_BAN_OK: 'Owner banned successfully', OWNER_UNBAN_OK: 'Owner unbanned successfully' },
    failure: 'Failed to update owner status',
  }),
  changeOwnerPlan: defineCall('POST /admin/owners/{id}/plan', {
    access: 'admin',
    summary:
      'Move an owner to another plan immediately, for 30 days or until `planExpiresAt`. The Free plan does not expire. With `before`, nothing changes if the plan is not that one any more. `previous` undoes the change.',
    params: OwnerId,
    body: strict({
      planType: Text(50, 1),
      planExpiresAt: Type.Optional(PlanEnd),
      before: Type.Optional(strict({ planType: Text(50, 1), planExpiresAt: PlanEnd })),
    }),
    reply: reply({
      planExpiresAt: PlanEnd,
      previous: Type.Union([Type.Object({ planType: Type.String(), planExpiresAt: PlanEnd }), Type.Null()], {
        description: 'The plan until now; null if an owner cannot be put on it again',
      }),
    }),
    errors: { OWNER_NOT_FOUND, PLAN_NOT_FOUND: plansErrors.PLAN_NOT_FOUND },
    successes: { OWNER_PLAN_OK: 'Owner plan updated successfully' },
    failure: 'Failed to update owner plan',
  }),
  sendPasswordReset: defineCall('POST /admin/owners/{id}/password-reset', {
    access: 'admin',
    summary:
      'Email the owner a password reset link, as "Forgot password?" does. If the server does not send email, the reply holds the link for you to pass on. The link is shown only once, works once within 30 minutes, and replaces earlier links. The current password works until the link is used.',
    params: OwnerId,
    body: Nothing,
    reply: reply(ResetLinkFields),
    errors: ownerResetErrors,
    successes: {
      OWNER_RESET_OK: 'Password reset link sent to the owner',
      ...resetLinkSuccess,
    },
  }),
  deleteOwner: defineCall('DELETE /admin/owners/{id}', {
    access: 'admin',
    summary: 'Delete an owner with all apps and their data. This cannot be undone.',
    params: OwnerId,
    body: Nothing,
    reply: reply({}),
    errors: ownersErrors,
    successes: { OWNER_DELETE_OK: 'Owner deleted successfully' },
    failure: 'Failed to delete owner',
  }),
  listPlans: defineCall('GET /admin/plans', {
    access: 'admin',
    summary: 'List all plans in display order, including plans that are not offered.',
    reply: plansReply,
  }),
  createPlan: defineCall('POST /admin/plans', {
    access: 'admin',
    idempotent: true,
    summary: 'Create a plan. Defaults of omitted fields: 1 app, 10 users, 25 licenses, 3 variables, 2 MB.',
    body: strict({
      name: RequiredText(500, 'PLAN_NAME_REQUIRED'),
      ...changeable,
      displayName: RequiredText(500, 'PLAN_DISPLAY_NAME_REQUIRED'),
    }),
    reply: plansReply,
    errors: plansErrors,
    successes: { PLAN_CREATE_OK: 'Plan created successfully' },
    failure: 'Failed to create plan',
  }),
  updatePlan: defineCall('PUT /admin/plans/{id}', {
    access: 'admin',
    summary:
      'Update a plan. Omitted fields keep their value; the name cannot be changed. Applies to the owners on this plan immediately.',
    params: PlanId,
    body: strict({
      ...changeable,
      name: Type.Optional(Text(500)),
      before: Type.Optional(strict(changeable)),
    }),
    reply: plansReply,
    errors: plansErrors,
    successes: { PLAN_UPDATE_OK: 'Plan updated successfully' },
    failure: 'Failed to update plan',
  }),
  deletePlan: defineCall('DELETE /admin/plans/{id}', {
    access: 'admin',
    summary: 'Delete a plan. Its owners move to the Free plan.',
    params: PlanId,
    body: Nothing,
    reply: plansReply,
    errors: plansErrors,
    successes: { PLAN_DELETE_OK: 'Plan deleted successfully' },
    failure: 'Failed to delete plan',
  }),
  initPlans: defineCall('POST /admin/init-plans', {
    access: 'admin',
    summary: 'Create the plans Free, Developer and Pro if there are no plans.',
    body: Nothing,
    reply: plansReply,
    errors: plansErrors,
    successes: { PLANS_INIT_OK: 'Default plans created successfully' },
    failure: 'Failed to initialize plans',
  }),
  adminStats: defineCall('GET /admin/stats', {
    access: 'admin',
    summary:
      'Get the totals of the platform, the totals of this month (UTC), and the number of owners on each plan and in each state.',
    reply: reply({
      stats: Type.Object({
        totals: Type.Object({
          owners: Type.Integer(),
          apps: Type.Integer(),
          users: Type.Integer(),
          licenses: Type.Integer(),
        }),
        recent: Type.Object({ owners: Type.Integer(), apps: Type.Integer() }),
        states: Type.Object(
          { active: Type.Integer(), banned: Type.Integer(), admin: Type.Integer() },
          { description: 'As `status` of `GET /admin/owners` counts them' },
        ),
        plans: Type.Array(
          Type.Object({
            name: Type.String(),
            displayName: Type.String(),
            price: Type.Number({ description: 'US dollars per month' }),
            count: Type.Integer(),
          }),
        ),
      }),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof adminContract> {}
  interface Codes extends CodesOf<typeof adminContract> {}
}
