import type { Feature } from '#server/http/endpoint.ts'
import { deleteDownload } from './api/delete-download.ts'
import { downloadInfo } from './api/download-info.ts'
import { downloadStatistics } from './api/download-statistics.ts'
import { getDownload } from './api/get-download.ts'
import { listDownloads } from './api/list-downloads.ts'
import { toggleDownload } from './api/toggle-download.ts'
import { updateDownload } from './api/update-download.ts'
import { uploadDownload } from './api/upload-download.ts'
import { downloadCounts } from './download-counts.ts'
import { scanGauge, scanJobs } from './download-scans.ts'
import { startFileStore } from './download-files.ts'
import { downloadsContract } from './downloads.contract.ts'
import { cleanUpDownloads } from './downloads.cleanup.ts'

/** Files that an owner ships to programs. */
export const downloads: Feature = {
  name: 'downloads',
  contract: downloadsContract,
  endpoints: [
    listDownloads,
    uploadDownload,
    updateDownload,
    deleteDownload,
    toggleDownload,
    downloadStatistics,
    downloadInfo,
    getDownload,
  ],
  appTables: ['download_events', 'download_progress', 'downloads'],
  jobs: { 'downloads.sweep': cleanUpDownloads, ...scanJobs },
  gauges: [scanGauge],
  start: async (services) => {
    await startFileStore(services)
    return () => downloadCounts(services).flush()
  },
}
