import type { Feature } from '#server/http/endpoint.ts'
import { adminSettingsContract } from './admin-settings.contract.ts'
import { adminContract } from './admin.contract.ts'
import { adminStats } from './api/admin-stats.ts'
import { ownerCalls } from './api/owners.ts'
import { planCalls } from './api/plans.ts'
import { failedJobCalls } from './api/failed-jobs.ts'
import { settingsCalls } from './api/settings.ts'
import { readGrowth } from './api/read-growth.ts'
import { readNeeds } from './api/read-needs.ts'
import { sendTestMail } from './api/send-test-mail.ts'
import { bindStoredPassword } from './mail-password.ts'
import { dashboardContract } from './dashboard.contract.ts'
import { failedJobsContract } from './failed-jobs.contract.ts'
import { mailServerNoticeJobs } from './mail-server-notices.ts'

/** Administration of the platform: owners, plans and settings. */
export const admin: Feature = {
  name: 'admin',
  contract: { ...adminContract, ...adminSettingsContract, ...dashboardContract, ...failedJobsContract },
  endpoints: [
    ...ownerCalls,
    ...planCalls,
    adminStats,
    readNeeds,
    readGrowth,
    ...failedJobCalls,
    ...settingsCalls,
    sendTestMail,
  ],
  jobs: mailServerNoticeJobs,
  start: bindStoredPassword,
}
