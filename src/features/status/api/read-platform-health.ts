import { countJobs } from '#server/jobs/job-metrics.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { listChecks } from '#server/status/platform-checks.ts'
import { statusBoard } from '../status-board.ts'
import { statusContract } from '../status.contract.ts'
import { partReplies } from '../status.reply.ts'
import { overallState } from '../status.rules.ts'

export const readPlatformHealth = endpoint(statusContract.readPlatformHealth, {
  read: async ({ services }) => {
    const { db } = services
    const status = await statusBoard(services).current()
    const jobs = await countJobs(db.reports)
    return {
      state: overallState(status.parts),
      parts: partReplies(status),
      checks: await listChecks(db.read),
      failedJobs: jobs.reduce((sum, { failed }) => sum + failed, 0),
    }
  },
})
