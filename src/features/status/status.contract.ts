import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, oneOf } from '#contract/fields.ts'
import { missingItems, statusParts, statusStates, storageProblems } from '#contract/status-parts.ts'

/** Current status of the platform and its history. */

const State = oneOf(statusStates)
const Minutes = Type.Array(Type.Integer({ minimum: 0, maximum: 1440 }))

const Part = Type.Object({
  part: oneOf(statusParts),
  state: State,
  responseMs: Type.Optional(Type.Integer({ description: '95th percentile of recent requests, in milliseconds' })),
  errorRate: Type.Optional(Type.Number({ description: 'Share of recent requests that failed, from 0 to 1' })),
  overdueQueues: Type.Optional(Type.Integer({ description: 'Number of queues with overdue jobs' })),
  isReachable: Type.Optional(Type.Boolean({ description: 'Whether the mail server can be used' })),
  lastAt: Type.Optional(
    Type.Integer({ description: 'Last success, in epoch seconds; of a backup, the moment of its data' }),
  ),
  missing: Type.Optional(Type.Array(oneOf(missingItems), { description: 'Required settings that are missing' })),
  problem: Type.Optional(oneOf(storageProblems, { description: 'Problem with the storage; only for administrators' })),
  days: Type.Optional(
    Type.Object(
      {
        ok: Minutes,
        degraded: Minutes,
        down: Minutes,
        since: Type.Optional(
          Type.Integer({
            description:
              'When the part was first measured, in epoch seconds; absent if it never was or if that is older than these days',
          }),
        ),
      },
      {
        description:
          'Minutes measured on each of the last 90 days (UTC), oldest first; minutes without a measurement are in none of the counts. Absent while the history cannot be read',
      },
    ),
  ),
})

const readStatus = {
  duringMaintenance: true,
  reply: reply({
    at: EpochSeconds,
    frame: Type.Union([Type.String(), Type.Null()], {
      description: 'URL of the status page that administrators have chosen to show instead of this one',
    }),
    state: State,
    parts: Type.Array(Type.Omit(Part, ['problem'])),
  }),
} as const

export const statusContract = {
  readStatus: defineCall('GET /status', {
    ...readStatus,
    access: 'account',
    summary:
      'Get the current status of the platform and its history of the last 90 days. Also available while the database is down.',
  }),
  readResellerStatus: defineCall('GET /reseller/status', {
    ...readStatus,
    access: 'reseller',
    summary: 'Alias of GET /status in the reseller area.',
  }),
  readPlatformHealth: defineCall('GET /admin/health', {
    access: 'admin',
    summary:
      "Get the results of the platform's self-checks and everything else that needs the attention of the operator.",
    reply: reply({
      state: State,
      parts: Type.Array(Type.Omit(Part, ['days'])),
      checks: Type.Array(
        Type.Object({
          name: Type.String({ description: '`ledger`: the credits of resellers' }),
          checkedAt: EpochSeconds,
          problems: Type.Integer({ minimum: 0 }),
        }),
      ),
      failedJobs: Type.Integer({
        minimum: 0,
        description: 'Jobs that failed their last attempt, counted up to 10,000',
      }),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof statusContract> {}
  interface Codes extends CodesOf<typeof statusContract> {}
}
