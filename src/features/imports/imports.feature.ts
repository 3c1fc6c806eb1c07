import type { Feature } from '#server/http/endpoint.ts'
import { checkImport } from './api/check-import.ts'
import { exportImportReport } from './api/export-import-report.ts'
import { importCalls } from './api/imports.ts'
import { importsContract } from './imports.contract.ts'
import { forgetImportedHashes, forgetImports } from './imports.jobs.ts'

/** Licenses and users of another service. */
export const imports: Feature = {
  name: 'imports',
  contract: importsContract,
  endpoints: [...importCalls, checkImport, exportImportReport],
  jobs: { 'forget-imports': forgetImports, 'forget-imported-hashes': forgetImportedHashes },
}
