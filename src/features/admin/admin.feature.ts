import type { Feature } from '#server/http/endpoint.ts'
import { adminSettingsContract } from './admin-settings.contract.ts'
import { adminContract } from './admin.contract.ts'
import { adminStats } from './api/admin-stats.ts'
import { banOwner } from './api/ban-owner.ts'
import { changeOwnerPlan } from './api/change-owner-plan.ts'
import { createPlan, deletePlan, initPlans, updatePlan } from './api/change-plans.ts'
import { deleteOwner } from './api/delete-owner.ts'
import { discardJobs, listFailedJobs, retryJobs } from './api/failed-jobs.ts'
import { getOwner } from './api/get-owner.ts'
import { getSettings } from './api/get-settings.ts'
import { listOwners } from './api/list-owners.ts'
import { listPlans } from './api/list-plans.ts'
import { readGrowth } from './api/read-growth.ts'
import { readNeeds } from './api/read-needs.ts'
import { sendPasswordReset } from './api/send-password-reset.ts'
import { sendTestMail } from './api/send-test-mail.ts'
import { saveApi, saveEmail, savePlatform, saveSecurity } from './api/save-settings.ts'
import { bindStoredPassword } from './mail-password.ts'
import { dashboardContract } from './dashboard.contract.ts'
import { failedJobsContract } from './failed-jobs.contract.ts'
import { mailServerNoticeJobs } from './mail-server-notices.ts'

/** Administration of the platform: owners, plans and settings. */
export const admin: Feature = {
  name: 'admin',
  contract: { ...adminContract, ...adminSettingsContract, ...dashboardContract, ...failedJobsContract },
  endpoints: [
    listOwners,
    getOwner,
    banOwner,
    changeOwnerPlan,
    sendPasswordReset,
    deleteOwner,
    listPlans,
    createPlan,
    updatePlan,
    deletePlan,
    initPlans,
    adminStats,
    readNeeds,
    readGrowth,
    listFailedJobs,
    retryJobs,
    discardJobs,
    getSettings,
    savePlatform,
    saveEmail,
    sendTestMail,
    saveApi,
    saveSecurity,
  ],
  jobs: mailServerNoticeJobs,
  start: bindStoredPassword,
}
