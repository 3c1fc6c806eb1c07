import type { Feature } from '#server/http/endpoint.ts'
import { alertAddresses, alertDetection, alertRetention, alertCleanup, listenForActivity } from './alerts.jobs.ts'
import { alertsContract } from './alerts.contract.ts'
import { alertCalls } from './api/alerts.ts'

/** Detects suspicious activity in stored data (docs/alerts.md). */
export const alerts: Feature = {
  name: 'alerts',
  contract: alertsContract,
  endpoints: alertCalls,
  appTables: ['alerts'],
  jobs: {
    'alerts-sweep': alertCleanup,
    alerts: alertDetection,
    'delete-expired-alerts': alertRetention,
    'blank-alert-addresses': alertAddresses,
  },
  start: async (services) => listenForActivity(services),
}
