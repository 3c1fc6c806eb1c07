import type { Feature } from '#server/http/endpoint.ts'
import { licenseCalls } from './api/licenses.ts'
import { bulkLicenses, undoLicenses } from './api/bulk-licenses.ts'
import { deleteAllLicenses, deleteUnusedLicenses, deleteUsedLicenses } from './api/delete-many-licenses.ts'
import { exportLicenses, exportSelectedLicenses } from './api/export-licenses.ts'
import { listTimeSources } from './api/list-time-sources.ts'
import { licensesContract } from './licenses.contract.ts'
import { licensesSearch } from './licenses.reads.ts'

export const licenses: Feature = {
  name: 'licenses',
  contract: licensesContract,
  endpoints: [
    ...licenseCalls,
    listTimeSources,
    exportLicenses,
    exportSelectedLicenses,
    deleteUnusedLicenses,
    deleteUsedLicenses,
    deleteAllLicenses,
    bulkLicenses,
    undoLicenses,
  ],
  searches: [licensesSearch],
  appTables: ['licenses', 'license_counts', 'reseller_users', 'reseller_counts'],
}
