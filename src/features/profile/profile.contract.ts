import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { beforeField, EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { maxTimeZoneLength } from '#contract/time-zone.ts'
import { AccountReply } from '#features/accounts/accounts.contract.ts'
import { ownerErrors } from '#features/accounts/accounts.errors.ts'
import { PlanFeatures } from '#features/plans/plans.contract.ts'
import { profileErrors } from './profile.errors.ts'

/** Calls on the signed-in owner's account. */

const Limit = Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('unlimited')])
const Nothing = Type.Optional(strict({}))

const changeable = {
  email: Text(1024),
  displayName: Text(1024),
  timeZone: Type.Union([Text(maxTimeZoneLength), Type.Null()]),
}

/** What an owner uses of a plan, and the limits, as the plan page counts them. */
export const planUseFields = {
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
}

export const profileContract = {
  profileStats: defineCall('GET /profile/stats', {
    access: 'account',
    summary: 'Get the number of apps, licenses and users of the owner, and when the account was created.',
    reply: reply({
      totalApps: Type.Integer(),
      totalLicenses: Type.Integer(),
      totalUsers: Type.Integer(),
      accountCreated: EpochSeconds,
    }),
  }),
  updateProfile: defineCall('POST /profile/update', {
    access: 'account',
    summary:
      'Update the email address, the display name or the time zone of the dashboard (null for the time zone of the browser). Omitted fields keep their value. Changing the email address requires a recent sign-in.',
    body: strict({
      ...beforeField(changeable),
      username: Type.Optional(Text(1024)),
      ...Type.Partial(Type.Object(changeable)).properties,
    }),
    reply: reply({ user: AccountReply }),
    errors: profileErrors,
    successes: { PROFILE_UPDATE_OK: 'Profile updated successfully' },
  }),
  deleteAccount: defineCall('POST /profile/delete-account', {
    access: 'account',
    recent: true,
    summary: 'Delete the account with all apps and their data. Requires a recent sign-in. This cannot be undone.',
    body: Nothing,
    reply: reply({}),
    errors: { LAST_ADMIN: ownerErrors.LAST_ADMIN },
    successes: { ACCOUNT_DELETE_OK: 'Account deleted successfully' },
  }),
  planUsage: defineCall('GET /profile/plan-usage', {
    access: 'account',
    summary:
      'Get the limits of the plan and the highest usage in any app. `ending` is a plan that expires within a week or expired within the last 30 days.',
    reply: reply({
      plan_type: Type.String({ description: 'Name of the plan' }),
      displayName: Type.String(),
      plan_expires_at: Type.Union([EpochSeconds, Type.Null()], { description: 'Null for a plan that does not expire' }),
      ...planUseFields,
      features: PlanFeatures,
      ending: Type.Union([
        Type.Object({
          displayName: Type.String(),
          endsAt: EpochSeconds,
          features: Type.Array(Type.String(), { description: 'Features the owner loses when the plan expires' }),
        }),
        Type.Null(),
      ]),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof profileContract> {}
  interface Codes extends CodesOf<typeof profileContract> {}
}
