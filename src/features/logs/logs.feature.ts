import type { Feature } from '#server/http/endpoint.ts'
import { bulkDeleteLogs } from './api/bulk-delete-logs.ts'
import { deleteAllLogs } from './api/delete-all-logs.ts'
import { deleteLog } from './api/delete-log.ts'
import { followLogs } from './api/follow-logs.ts'
import { exportLogs, exportSelectedLogs } from './api/export-logs.ts'
import { listLogs } from './api/list-logs.ts'
import { readLog } from './api/read-log.ts'
import { readLogFacets } from './api/read-log-facets.ts'
import { readLogHistogram } from './api/read-log-histogram.ts'
import { setLogRetention } from './api/set-log-retention.ts'
import { activityLog, redactLogAddresses, deleteExcessLogs, deleteExpiredLogs } from './logs.actions.ts'
import { logsContract } from './logs.contract.ts'

/** Activity and messages of programs. */
export const logs: Feature = {
  name: 'logs',
  contract: logsContract,
  endpoints: [
    listLogs,
    readLog,
    readLogHistogram,
    readLogFacets,
    followLogs,
    deleteLog,
    deleteAllLogs,
    bulkDeleteLogs,
    exportLogs,
    exportSelectedLogs,
    setLogRetention,
  ],
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
