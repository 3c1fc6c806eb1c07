import type { Feature } from '#server/http/endpoint.ts'
import { logCalls } from './api/logs.ts'
import { followLogs } from './api/follow-logs.ts'
import { exportLogs, exportSelectedLogs } from './api/export-logs.ts'
import { listLogs } from './api/list-logs.ts'
import { activityLog, redactLogAddresses, deleteExcessLogs, deleteExpiredLogs } from './logs.actions.ts'
import { logsContract } from './logs.contract.ts'

/** Activity and messages of programs. */
export const logs: Feature = {
  name: 'logs',
  contract: logsContract,
  endpoints: [listLogs, ...logCalls, followLogs, exportLogs, exportSelectedLogs],
  appTables: ['logs'],
  jobs: {
    'delete-expired-logs': {
      concurrency: 1,
      leaseSeconds: 3600,
      maxAttempts: 5,
      everySeconds: 3600,
      run: (services) => deleteExpiredLogs(services),
    },
    'delete-excess-logs': {
      concurrency: 1,
      leaseSeconds: 3600,
      maxAttempts: 5,
      everySeconds: 3600,
      run: (services) => deleteExcessLogs(services),
    },
    'blank-log-addresses': redactLogAddresses,
  },
  start: async (services) => () => activityLog(services).flush(),
}
