import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import type { CodesOf } from '#contract/codes.ts'
import { appFields, EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { maxTimeZoneLength } from '#contract/time-zone.ts'
import { overviewErrors } from './overview.errors.ts'

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

export const overviewContract = {
  readOverview: defineCall({
    method: 'GET',
    path: '/overview',
    access: 'account',
    app: true,
    planFeature: 'advanced_analytics',
    summary:
      'Get the activity of an app: the last 24 hours by hour, or the last 7, 30 or 90 days by day, with the reasons for rejections, the countries of sign-ins, and the licenses that expire in the same number of days to come.',
    query: strict({
      ...appFields,
      days: Type.Optional(
        Type.Union([Type.Literal('1'), Type.Literal('7'), Type.Literal('30'), Type.Literal('90')], { default: '7' }),
      ),
      timeZone: Type.Optional(Text(maxTimeZoneLength, 1)),
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
      points: Type.Array(Point),
      activeUsers: Type.Integer({ minimum: 0, description: 'Distinct users who signed in during the whole period' }),
      rejections: Type.Array(Type.Object({ code: Type.String(), count: Count })),
      countries: Type.Array(
        Type.Object({
          country: Type.String({ description: 'Country code, ISO 3166-1 alpha-2; empty if unknown' }),
          count: Count,
        }),
      ),
      expiring: Type.Array(Type.Object({ ...span, licenses: Count })),
      levels: Count,
      licenses: Count,
    }),
    errors: overviewErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof overviewContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof overviewContract> {}
}
