import type { Feature } from '#server/http/endpoint.ts'
import { downloadCalls } from './api/downloads.ts'
import { getDownload } from './api/get-download.ts'
import { downloadCounts } from './download-counts.ts'
import { scanGauge, scanJobs } from './download-scans.ts'
import { startFileStore } from './download-files.ts'
import { downloadsContract } from './downloads.contract.ts'
import { cleanUpDownloads } from './downloads.cleanup.ts'

/** Files that an owner ships to programs. */
export const downloads: Feature = {
  name: 'downloads',
  contract: downloadsContract,
  endpoints: [...downloadCalls, getDownload],
  appTables: ['download_events', 'download_progress', 'downloads'],
  jobs: { 'downloads.sweep': cleanUpDownloads, ...scanJobs },
  gauges: [scanGauge],
  start: async (services) => {
    await startFileStore(services)
    return () => downloadCounts(services).flush()
  },
}
