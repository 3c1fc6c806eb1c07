import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import type { CodesOf } from '#contract/codes.ts'
import { appFields, EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { maxTimeZoneLength } from '#contract/time-zone.ts'
import { overviewErrors } from './overview.errors.ts'

/** What an owner watches of an app over time. */

const Count = Type.Integer({ minimum: 0 })
const span = { from: EpochSeconds, to: EpochSeconds }

const Point = Type.Object({
  ...span,
  signIns: Count,
  activeUsers: Type.Integer({ minimum: 0, description: 'Different users who signed in' }),
  rejected: Type.Integer({ minimum: 0, description: 'Calls of programs that were refused' }),
  activations: Type.Integer({ minimum: 0, description: 'Licenses that were redeemed and still exist' }),
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
      "The app's activity of the last 24 hours by the hour, or of the last 7, 30 or 90 days by the day, with what led to refusals, where sign-ins came from and which licenses expire in as many days to come.",
    query: strict({
      ...appFields,
      days: Type.Optional(
        Type.Union([Type.Literal('1'), Type.Literal('7'), Type.Literal('30'), Type.Literal('90')], { default: '7' }),
      ),
      timeZone: Type.Optional(Text(maxTimeZoneLength, 1)),
    }),
    reply: reply({
      at: EpochSeconds,
      timeZone: Type.String({ description: "Whose days these are: the query's, else the account's, else UTC" }),
      roundedDays: Type.Boolean({ description: 'Days of the zone begin within an hour and are rounded to whole ones' }),
      counting: Type.Boolean({ description: 'Older activity is still being counted: the numbers will grow' }),
      points: Type.Array(Point),
      activeUsers: Type.Integer({ minimum: 0, description: 'Different users who signed in during the whole period' }),
      refusals: Type.Array(Type.Object({ code: Type.String(), count: Count })),
      countries: Type.Array(
        Type.Object({
          country: Type.String({ description: 'ISO 3166-1 alpha-2; empty when it is not known' }),
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
