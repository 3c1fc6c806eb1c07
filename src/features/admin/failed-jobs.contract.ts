import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { sortField } from '#contract/sort-field.ts'
import { failedJobErrors } from './admin.errors.ts'

/** Background work that failed its last attempt. */

const JobId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const FailedJob = Type.Object({
  id: Type.Integer(),
  kind: Type.String({ description: 'Kind of work, for example `mail`' }),
  attempts: Type.Integer({ minimum: 0 }),
  error: Type.String({ description: 'Reason of the last failure' }),
  failedAt: EpochSeconds,
  createdAt: EpochSeconds,
})

const named = strict({ jobIds: Type.Array(JobId, { minItems: 1, maxItems: 100 }) })
const changed = reply({ changed: Type.Integer({ minimum: 0, description: 'Number of jobs that were changed' }) })

export const failedJobsContract = {
  listFailedJobs: defineCall('GET /admin/jobs', {
    access: 'admin',
    summary:
      'List background jobs that failed their last attempt, the latest failure first unless `sort` says otherwise. They stay until they are retried or discarded. `search` matches errors and IDs.',
    query: strict({
      ...pageQuery,
      kind: Type.Optional(Text(60, 1)),
      sort: sortField(['error', 'attempts', 'failed', 'created']),
    }),
    reply: reply({
      jobs: Type.Array(FailedJob),
      kinds: Type.Array(Type.String(), { description: 'The kinds of all failed jobs' }),
      total: Type.Integer({ description: 'Number of matching jobs, counted up to 10,000' }),
      isMore: Type.Boolean({ description: 'Whether more jobs match than were counted' }),
      totalPages: Type.Integer(),
    }),
  }),
  retryJobs: defineCall('POST /admin/jobs/retry', {
    access: 'admin',
    summary:
      'Run failed jobs again, with as many attempts as new ones have. Jobs that are no longer failed are skipped.',
    body: named,
    reply: changed,
    errors: failedJobErrors,
    successes: { JOBS_RETRY_OK: 'The failed jobs run again' },
    failure: 'Failed to retry the jobs',
  }),
  discardJobs: defineCall('POST /admin/jobs/discard', {
    access: 'admin',
    summary: 'Discard failed jobs: their work is never done. This cannot be undone.',
    body: named,
    reply: changed,
    errors: failedJobErrors,
    successes: { JOBS_DISCARD_OK: 'The failed jobs were discarded' },
    failure: 'Failed to discard the jobs',
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof failedJobsContract> {}
  interface Codes extends CodesOf<typeof failedJobsContract> {}
}
