import { Type } from 'typebox'
import { appCall } from '#contract/define-call.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appFields, CountryCode, EpochSeconds, reply, strict, Text, oneOf } from '#contract/fields.ts'
import { maxTimeZoneLength } from '#contract/time-zone.ts'
import { overviewErrors } from './overview.errors.ts'
import { limitNames } from './overview.rules.ts'

/** Activity of an app over time. */

const Count = Type.Integer({ minimum: 0 })
const span = { from: EpochSeconds, to: EpochSeconds }

const Point = Type.Object({
  ...span,
  signIns: Count,
  activeUsers: Type.Integer({ minimum: 0, description: 'Distinct users who signed in' }),
  rejected: Type.Integer({ minimum: 0, description: 'Rejected calls of programs' }),
  activations: Type.Integer({ minimum: 0, description: 'Redeemed licenses that still exist' }),
  newUsers: Count,
})

const Activity = {
  points: Type.Array(Point),
  activeUsers: Type.Integer({ minimum: 0, description: 'Distinct users who signed in during the whole period' }),
}

const rangeText = 'on a full hour; with `from` and `to`, the overview is of that range instead of the last days'

export const overviewContract = {
  readOverview: appCall('GET /overview', {
    planFeature: 'advanced_analytics',
    summary:
      'Get the activity of an app: the last 24 hours by hour, or the last 7, 30 or 90 days by day, with the period before, the reasons for rejections, the countries of sign-ins, and the licenses that expire in the same number of days to come. `from` and `to` choose a range: up to 48 hours by hour, otherwise by day.',
    query: strict({
      ...appFields,
      days: Type.Optional(
        Type.Union([Type.Literal('1'), Type.Literal('7'), Type.Literal('30'), Type.Literal('90')], { default: '7' }),
      ),
      timeZone: Type.Optional(Text(maxTimeZoneLength, 1)),
      from: Type.Optional({ ...EpochSeconds, description: `Beginning of a range, ${rangeText}` }),
      to: Type.Optional({ ...EpochSeconds, description: 'End of the range, on a full hour' }),
    }),
    reply: reply({
      at: EpochSeconds,
      timeZone: Type.String({
        description: 'Time zone of the days: from the query, otherwise from the account, otherwise UTC',
      }),
      roundedDays: Type.Boolean({
        description: 'Whether the days of this time zone do not begin on the hour and are rounded to whole hours',
      }),
      counting: Type.Boolean({ description: 'Older activity is still being counted; the numbers will increase' }),
      hourly: Type.Boolean({ description: 'Whether the points are hours instead of days' }),
      ...Activity,
      existingActiveUsers: Type.Union([Count, Type.Null()], {
        description:
          'Users whose last sign-in was in the period: active users without those deleted since. Null for a range that has ended',
      }),
      previous: Type.Union([Type.Object(Activity), Type.Null()], {
        description:
          'The same for the period of the same length before; its last point ends as many hours into its day as the current one. Null if the activity of that period was not counted from its beginning',
      }),
      rejections: Type.Array(Type.Object({ code: Type.String(), count: Count })),
      countries: Type.Array(
        Type.Object({
          country: CountryCode,
          count: Count,
        }),
      ),
      expiring: Type.Array(Type.Object({ ...span, licenses: Count })),
      levels: Count,
      licenses: Count,
    }),
    errors: overviewErrors,
  }),
  readAttention: appCall('GET /overview/attention', {
    planFeature: 'advanced_analytics',
    summary:
      'Get what may need the owner of an app: failing webhooks, new alerts, customers who were rejected in the last 24 hours, starts of old versions, nearly used limits of the plan, and licenses that expire within 7 days.',
    query: strict({ ...appFields }),
    reply: reply({
      at: EpochSeconds,
      webhooks: Type.Object({
        failing: Count,
        stopped: Count,
        webhookId: Type.String({ description: 'ID of the webhook if it is only one; otherwise empty' }),
      }),
      alerts: Type.Integer({ minimum: 0, description: 'New alerts, counted up to 1,000' }),
      rejected: Type.Object({
        customers: Type.Integer({
          minimum: 0,
          description:
            'Distinct customers who were rejected in the last 24 hours for a reason that the owner can remove',
        }),
        isMore: Type.Boolean({ description: 'Only the newest 20,000 log entries of the 24 hours were counted' }),
        code: Type.String({ description: 'The reason of most of them; empty if there are none' }),
        ofCode: Type.Integer({ minimum: 0, description: 'Customers rejected for that reason' }),
        customer: Type.String({
          description: 'Username or license key if `ofCode` is 1; otherwise empty',
        }),
      }),
      outdated: Type.Object({
        starts: Type.Integer({
          minimum: 0,
          description: 'Starts of programs in `from` to `to` that were rejected because of their version',
        }),
        from: { ...EpochSeconds, description: 'Beginning of the 24 hours, of which the current one is the last' },
        to: { ...EpochSeconds, description: 'End of the current hour' },
        version: Type.String({ description: 'The version that the app settings require' }),
      }),
      expiring: Type.Integer({ minimum: 0, description: 'Licenses that expire within 7 days, except banned ones' }),
      plan: Type.String({ description: 'Display name of the plan' }),
      limits: Type.Array(
        Type.Object({
          limit: oneOf(limitNames),
          used: Count,
          max: Count,
        }),
        {
          description:
            'Limits of the plan of which at least 80% are used by the app, or by the account for `apps` and `storage` (in bytes); the fullest first',
        },
      ),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof overviewContract> {}
  interface Codes extends CodesOf<typeof overviewContract> {}
}
