import type { AppContext } from '#server/audit/audit.ts'
import type { RowStates } from '#server/bulk/undo-log.ts'
import type { ImportedState } from './imported-state.ts'
import type { ImportSettings } from './imports.table.ts'
import type { LevelOf, RowResult } from './plan-batch.ts'

export type Hwids = ReadonlyMap<string, { hwidHash: string; missingLength?: number }>

/** What the rows of a batch became. */
export interface ImportedBatch {
  results: RowResult[]
  /** Names of the created and overwritten rows. */
  names: string[]
  overwritten: number
  states: RowStates<ImportedState>[]
}

/** How the rows of one kind are imported. */
export interface BatchContext {
  context: AppContext
  settings: ImportSettings
  levelOf: LevelOf
}
