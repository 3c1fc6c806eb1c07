import type { Generated } from 'kysely'
import type { conflictChoices, durationUnits, importKinds, importSources } from './imported-rows.rules.ts'

export interface ImportsTable {
  id: string
  app_id: string
  kind: (typeof importKinds)[number]
  source: (typeof importSources)[number]
  file_name: string
  /** SHA-256 of the file in hex; empty if unknown. */
  fingerprint: string
  /** `ImportSettings` as JSON. */
  settings: string
  total_rows: number
  done_rows: Generated<number>
  batches: Generated<number>
  created: Generated<number>
  overwritten: Generated<number>
  skipped: Generated<number>
  created_by: string
  created_at: number
  undone_at: number | null
}

/** A batch that is done; the primary key makes a repeated one wait and then find it. */
export interface ImportBatchesTable {
  import_id: string
  number: number
  request_hash: string
  /** `BatchResult` as JSON. */
  result: string
}

export interface ImportSettings {
  onConflict: (typeof conflictChoices)[number]
  durationUnit: (typeof durationUnits)[number]
  withHwids: boolean
  withKeys: boolean
  /** Columns of a generic file, by field, for resuming the import. */
  columns: Record<string, number>
  levels: { label: string; level: number }[]
}

declare module '#database/schema.ts' {
  interface Schema {
    imports: ImportsTable
    import_batches: ImportBatchesTable
  }
}
