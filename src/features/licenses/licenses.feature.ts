import type { Feature } from '#server/http/endpoint.ts'
import { addTimeLicenses } from './api/add-time-licenses.ts'
import { bulkLicenses, undoLicenses } from './api/bulk-licenses.ts'
import { createLicenses } from './api/create-licenses.ts'
import { deleteLicense } from './api/delete-license.ts'
import { deleteAllLicenses, deleteUnusedLicenses, deleteUsedLicenses } from './api/delete-many-licenses.ts'
import { exportLicenses, exportSelectedLicenses } from './api/export-licenses.ts'
import { findLicense } from './api/find-license.ts'
import { listLicenses } from './api/list-licenses.ts'
import { listTimeSources } from './api/list-time-sources.ts'
import { listUserLicenses } from './api/list-user-licenses.ts'
import { readLicense } from './api/read-license.ts'
import { readLicenseFacets } from './api/read-license-facets.ts'
import { toggleBanLicense } from './api/toggle-ban-license.ts'
import { updateLicense } from './api/update-license.ts'
import { licensesContract } from './licenses.contract.ts'
import { licensesSearch } from './licenses.reads.ts'

export const licenses: Feature = {
  name: 'licenses',
  contract: licensesContract,
  endpoints: [
    listLicenses,
    readLicense,
    readLicenseFacets,
    findLicense,
    listUserLicenses,
    listTimeSources,
    createLicenses,
    addTimeLicenses,
    exportLicenses,
    exportSelectedLicenses,
    deleteUnusedLicenses,
    deleteUsedLicenses,
    deleteAllLicenses,
    deleteLicense,
    updateLicense,
    toggleBanLicense,
    bulkLicenses,
    undoLicenses,
  ],
  searches: [licensesSearch],
  appTables: ['licenses', 'license_counts', 'reseller_users', 'reseller_counts'],
}
