import { maxCounted } from '#contract/fields.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { countFailedJobs, listFailedJobs as listJobs, listFailedKinds } from '#server/jobs/failed-jobs.ts'
import { discardFailedJobs, retryFailedJobs } from '../failed-jobs.actions.ts'
import { failedJobsContract } from '../failed-jobs.contract.ts'

export const listFailedJobs = endpoint(failedJobsContract.listFailedJobs, {
  read: async ({ services: { db }, query: { page = 1, limit = 10, kind, search, sort } }) => {
    const counted = await countFailedJobs(db.reports, { kind, search }, maxCounted + 1)
    const total = Math.min(counted, maxCounted)
    return {
      jobs: await listJobs(db.reports, { kind, search, offset: (page - 1) * limit, limit, sort }),
      kinds: await listFailedKinds(db.reports),
      total,
      isMore: counted > maxCounted,
      totalPages: Math.max(1, Math.ceil(total / limit)),
    }
  },
})

export const retryJobs = endpoint(failedJobsContract.retryJobs, {
  write: async (tx, context) => {
    const changed = await retryFailedJobs(tx, context, context.body.jobIds)
    return { code: 'JOBS_RETRY_OK', changed }
  },
})

export const discardJobs = endpoint(failedJobsContract.discardJobs, {
  write: async (tx, context) => {
    const changed = await discardFailedJobs(tx, context, context.body.jobIds)
    return { code: 'JOBS_DISCARD_OK', changed }
  },
})
