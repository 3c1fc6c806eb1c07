import type { Feature } from '#server/http/endpoint.ts'
import { readAttention } from './api/read-attention.ts'
import { readOverview } from './api/read-overview.ts'
import { activityJob } from './overview.actions.ts'
import { overviewContract } from './overview.contract.ts'

/** Activity of an app's programs over time. */
export const overview: Feature = {
  name: 'overview',
  contract: overviewContract,
  endpoints: [readOverview, readAttention],
  appTables: ['activity_hours', 'activity_users', 'activity_last'],
  jobs: { 'overview.count': activityJob },
}
