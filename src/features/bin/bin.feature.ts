import type { Feature } from '#server/http/endpoint.ts'
import { binCalls } from './api/bin.ts'
import { restoreBin } from './api/restore-bin.ts'
import { binContract } from './bin.contract.ts'
import { emptyBins, redactBinAddresses } from './bin.jobs.ts'

/** What was deleted in the last 30 days. */
export const bin: Feature = {
  name: 'bin',
  contract: binContract,
  endpoints: [...binCalls, restoreBin],
  jobs: { 'empty-bin': emptyBins, 'blank-bin-addresses': redactBinAddresses },
  appTables: ['bin_items'],
}
