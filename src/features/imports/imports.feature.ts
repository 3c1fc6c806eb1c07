import type { Feature } from '#server/http/endpoint.ts'
import { checkImport } from './api/check-import.ts'
import { exportImportReport } from './api/export-import-report.ts'
import { importRows } from './api/import-rows.ts'
import { listImports } from './api/list-imports.ts'
import { startImport } from './api/start-import.ts'
import { undoImport } from './api/undo-import.ts'
import { importsContract } from './imports.contract.ts'
import { forgetImportedHashes, forgetImports } from './imports.jobs.ts'

/** Licenses and users of another service. */
export const imports: Feature = {
  name: 'imports',
  contract: importsContract,
  endpoints: [listImports, checkImport, startImport, importRows, undoImport, exportImportReport],
  jobs: { 'forget-imports': forgetImports, 'forget-imported-hashes': forgetImportedHashes },
}
