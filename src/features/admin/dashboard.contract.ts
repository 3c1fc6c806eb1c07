import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { maxTimeZoneLength } from '#contract/time-zone.ts'
import { overviewErrors } from '#features/overview/overview.errors.ts'

/** The administrators' dashboard. */

const Count = Type.Integer({ minimum: 0 })

const Point = Type.Object({
  from: EpochSeconds,
  to: EpochSeconds,
  owners: Count,
  apps: Count,
  users: Count,
  licenses: Count,
  signIns: Type.Integer({ minimum: 0, description: 'Sign-ins of users to programs' }),
})

export const dashboardContract = {
  readNeeds: defineCall('GET /admin/needs', {
    access: 'admin',
    summary:
      'Get what may need an administrator besides the health of the platform: maintenance mode, failed jobs, owners whose plan ends within 7 days or who have used at least 80% of a limit, and locked sign-ins.',
    reply: reply({
      at: EpochSeconds,
      maintenance: Type.Union(
        [
          Type.Null(),
          Type.Object({
            since: Type.Union([EpochSeconds, Type.Null()], { description: 'Null if it was not recorded' }),
          }),
        ],
        { description: 'Maintenance mode; null while it is off' },
      ),
      failedJobs: Type.Object({
        count: Type.Integer({ minimum: 0, description: 'Counted up to 10,000' }),
        kind: Type.String({ description: 'Kind of the latest one; empty if there are none' }),
        error: Type.String({ description: 'Reason of the latest failure' }),
      }),
      plansEnding: Type.Integer({ minimum: 0, description: 'Owners whose plan ends within 7 days' }),
      nearLimits: Type.Integer({
        minimum: 0,
        description:
          'Owners with at least 80% of a limit used: users, licenses or variables of an app, apps (if the plan has more than one), or storage',
      }),
      lockedSignIns: Type.Integer({
        minimum: 0,
        description: 'Devices and networks that cannot try to sign in to the dashboard now, after failed sign-ins',
      }),
    }),
  }),
  readGrowth: defineCall('GET /admin/growth', {
    access: 'admin',
    summary:
      'Get new owners, apps, users and licenses, and sign-ins of users, for each of the last 7, 30 or 90 days, and for as many days before. Deleted rows, and those of deleted apps, are not counted. Users, licenses and sign-ins may be up to a minute old.',
    query: strict({
      days: Type.Optional(Type.Union([Type.Literal('7'), Type.Literal('30'), Type.Literal('90')], { default: '30' })),
      timeZone: Type.Optional(Text(maxTimeZoneLength, 1)),
    }),
    reply: reply({
      at: EpochSeconds,
      timeZone: Type.String({ description: 'Time zone of the days: from the query, otherwise UTC' }),
      points: Type.Array(Point),
      previous: Type.Union([Type.Array(Point), Type.Null()], {
        description:
          'The days before; the last one ends as many hours into its day as today. Null if the platform is not that old',
      }),
    }),
    errors: { TIME_ZONE_UNKNOWN: overviewErrors.TIME_ZONE_UNKNOWN },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof dashboardContract> {}
  interface Codes extends CodesOf<typeof dashboardContract> {}
}
