import type { Feature } from '#server/http/endpoint.ts'
import { alertAddresses, alertDetection, alertRetention, alertCleanup, listenForActivity } from './alerts.jobs.ts'
import { alertsContract } from './alerts.contract.ts'
import { alertStats } from './api/alert-stats.ts'
import { alertThresholds } from './api/alert-thresholds.ts'
import { bulkAlerts } from './api/bulk-alerts.ts'
import { countNew } from './api/count-alerts.ts'
import { dismissAlert } from './api/dismiss-alert.ts'
import { getAlert } from './api/get-alert.ts'
import { listAlertPage } from './api/list-alerts.ts'
import { reopen } from './api/reopen-alert.ts'
import { reviewAlert } from './api/review-alert.ts'
import { runDetection } from './api/run-detection.ts'
import { setAlertThreshold } from './api/set-alert-threshold.ts'
import { userActivity } from './api/user-activity.ts'

/** Detects suspicious activity in stored data (docs/alerts.md). */
export const alerts: Feature = {
  name: 'alerts',
  contract: alertsContract,
  endpoints: [
    listAlertPage,
    getAlert,
    alertStats,
    countNew,
    userActivity,
    runDetection,
    reviewAlert,
    dismissAlert,
    reopen,
    bulkAlerts,
    alertThresholds,
    setAlertThreshold,
  ],
  appTables: ['alerts'],
  jobs: {
    'alerts-sweep': alertCleanup,
    alerts: alertDetection,
    'delete-expired-alerts': alertRetention,
    'blank-alert-addresses': alertAddresses,
  },
  start: async (services) => listenForActivity(services),
}
