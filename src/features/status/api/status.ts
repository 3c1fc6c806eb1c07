import { countJobs } from '#server/jobs/job-metrics.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { listChecks } from '#server/status/platform-checks.ts'
import { statusBoard } from '../status-board.ts'
import { statusContract as contract } from '../status.contract.ts'
import { partReplies, statusReply, statusWithoutDatabase } from '../status.reply.ts'
import { overallState } from '../status.rules.ts'

export const statusCalls: readonly Endpoint[] = [
  ...[contract.readStatus, contract.readResellerStatus].map((call) =>
    endpoint(call, { read: ({ services }) => statusReply(services), withoutDatabase: statusWithoutDatabase }),
  ),
  endpoint(contract.readPlatformHealth, {
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
  }),
]
