import { maxCounted } from '#contract/fields.ts'
import { dashboardRealm } from '#features/accounts/identity-verification.actions.ts'
import { countLockedSignIns } from '#server/auth/login-throttle.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { countFailedJobs, listFailedJobs } from '#server/jobs/failed-jobs.ts'
import { dashboardContract } from '../dashboard.contract.ts'
import { countOwners } from '../owners.reads.ts'

export const readNeeds = endpoint(dashboardContract.readNeeds, {
  read: async ({ services: { db, settings }, now }) => {
    const { reports } = db
    const { maintenanceMode, maintenanceSince } = (await settings.current()).platform
    const [latest] = await listFailedJobs(reports, { offset: 0, limit: 1 })
    return {
      at: now,
      maintenance: maintenanceMode ? { since: maintenanceSince } : null,
      failedJobs: {
        count: await countFailedJobs(reports, {}, maxCounted),
        kind: latest?.kind ?? '',
        error: latest?.error ?? '',
      },
      plansEnding: await countOwners(reports, { planEnds: 'week' }, now),
      nearLimits: await countOwners(reports, { limits: 'near' }, now),
      lockedSignIns: await countLockedSignIns(reports, dashboardRealm, now),
    }
  },
})
