import { Type } from 'typebox'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply } from '#contract/fields.ts'
import {
  type MissingItem,
  missingItems,
  type StatusPart,
  statusParts,
  type StatusState,
  statusStates,
  type StorageProblem,
  storageProblems,
} from '#contract/status-parts.ts'

/** How the platform is and was. */

const oneOf = (names: readonly string[]) => Type.Union(names.map((name) => Type.Literal(name)))
const State = Type.Unsafe<StatusState>(oneOf(statusStates))
const Minutes = Type.Array(Type.Integer({ minimum: 0, maximum: 1440 }))

const Part = Type.Object({
  part: Type.Unsafe<StatusPart>(oneOf(statusParts)),
  state: State,
  responseMs: Type.Optional(Type.Integer({ description: 'What 95 of 100 requests of late did not exceed' })),
  errorRate: Type.Optional(Type.Number({ description: 'Of the requests of late, between 0 and 1' })),
  overdueQueues: Type.Optional(Type.Integer({ description: 'Queues that should have been worked on by now' })),
  isReachable: Type.Optional(Type.Boolean({ description: 'Whether the mail server can be used' })),
  lastAt: Type.Optional(Type.Integer({ description: 'When it last went well, epoch seconds' })),
  missing: Type.Optional(
    Type.Array(Type.Unsafe<MissingItem>(oneOf(missingItems)), { description: "What it needs and doesn't have" }),
  ),
  problem: Type.Optional(
    Type.Unsafe<StorageProblem>({
      ...oneOf(storageProblems),
      description: 'What is wrong with the storage; for administrators alone',
    }),
  ),
  days: Type.Optional(
    Type.Object(
      {
        ok: Minutes,
        degraded: Minutes,
        down: Minutes,
        since: Type.Optional(
          Type.Integer({
            description:
              'When the part was measured first, epoch seconds; absent when that was never, or before these days',
          }),
        ),
      },
      {
        description:
          'Measured minutes of the last 90 days of UTC, the oldest first; what is missing was not measured. Absent while it cannot be read.',
      },
    ),
  ),
})

const readStatus = {
  method: 'GET',
  duringMaintenance: true,
  reply: reply({
    at: EpochSeconds,
    frame: Type.Union([Type.String(), Type.Null()], {
      description: 'The page that administrators show in place of this one',
    }),
    state: State,
    parts: Type.Array(Type.Omit(Part, ['problem'])),
  }),
} as const

export const statusContract = {
  readStatus: defineCall({
    ...readStatus,
    path: '/status',
    access: 'account',
    summary: 'How the platform is and was in the last 90 days. Answers while the database is away, too.',
  }),
  readResellerStatus: defineCall({
    ...readStatus,
    path: '/reseller/status',
    access: 'reseller',
    summary: 'The same under its name in the reseller area.',
  }),
  readPlatformHealth: defineCall({
    method: 'GET',
    path: '/admin/health',
    access: 'admin',
    summary: "How the platform's own checks ended, and what else needs somebody who runs it.",
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
      failedJobs: Type.Integer({ minimum: 0, description: 'Set aside after their last attempt, up to 10,000' }),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof statusContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof statusContract> {}
}
