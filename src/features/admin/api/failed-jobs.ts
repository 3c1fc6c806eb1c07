import { maxCounted, pageCount } from '#contract/fields.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { countFailedJobs, listFailedJobs, listFailedKinds } from '#server/jobs/failed-jobs.ts'
import { discardFailedJobs, retryFailedJobs } from '../failed-jobs.actions.ts'
import { failedJobsContract as contract } from '../failed-jobs.contract.ts'

export const failedJobCalls: readonly Endpoint[] = [
  endpoint(contract.listFailedJobs, {
    read: async ({ services: { db }, query: { page = 1, limit = 10, kind, search, sort } }) => {
      const counted = await countFailedJobs(db.reports, { kind, search }, maxCounted + 1)
      const total = Math.min(counted, maxCounted)
      return {
        jobs: await listFailedJobs(db.reports, { kind, search, offset: (page - 1) * limit, limit, sort }),
        kinds: await listFailedKinds(db.reports),
        total,
        isMore: counted > maxCounted,
        totalPages: pageCount(total, limit),
      }
    },
  }),
  endpoint(contract.retryJobs, {
    write: async (tx, context) => {
      const changed = await retryFailedJobs(tx, context, context.body.jobIds)
      return { code: 'JOBS_RETRY_OK', changed }
    },
  }),
  endpoint(contract.discardJobs, {
    write: async (tx, context) => {
      const changed = await discardFailedJobs(tx, context, context.body.jobIds)
      return { code: 'JOBS_DISCARD_OK', changed }
    },
  }),
]
