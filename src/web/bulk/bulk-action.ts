import type { ReactNode } from 'react'
import type { ApiCall } from '../api-call/api-call.ts'
import type { CallOptions } from '../api/call-types.ts'
import type { Coded } from '../api/code-text.ts'

/** Above this number of rows, the server counts first, and a dangerous action requires a typed confirmation. */
export const maxUncountedRows = 100

/** Target rows: named ones, or all that match a filter; `count` is the number that was shown, if any. */
export type BulkTarget<Filter> =
  | { names: readonly string[] }
  | {
      filter: Filter
      count?: number
      /** Rows that were added after the count are left out. */
      newestId?: number | undefined
    }

/** The same as fields of a call, which is rejected if the filter no longer matches that number. */
export type BulkRows<Filter> = { names: string[] } | { filter: Filter; expectedCount?: number }

/** Fields that the kit adds to the body of each batch. */
export interface BatchFields {
  dryRun?: boolean
  maxRows?: number
  after?: number
  /** Rows with higher IDs don't match. */
  newestId?: number
  /** Adds this batch to the undo record of the previous batches. */
  undoId?: string
}

export interface BulkCounts {
  changed: number
  /** Rows already in that state. */
  unchanged: number
  /** Among the changed rows. */
  inUse?: number
  notFound?: number
  withoutSubscription?: number
  expired?: number
  lifetime?: number
}

export interface BulkResult extends Coded {
  name: string
  ok: boolean
  changed: boolean
}

export interface BulkReply {
  done: number
  failed: number
  next: number | null
  newestId: number | null
  undoId: string | null
  counts: BulkCounts
  results: readonly BulkResult[]
}

export interface UndoBody {
  undoId: string
  maxRows?: number
  after?: number
}

export interface UndoReply {
  restored: number
  failed: number
  next: number | null
}

type SendOptions = Pick<CallOptions, 'idempotencyKey' | 'signal'>

/**
 * Common data of all actions on one kind of row. Bound to one app: Undo may be pressed after another app was selected.
 */
export interface BulkKind<Body extends object> {
  send: (body: Body & BatchFields, options: SendOptions) => Promise<BulkReply>
  undo: (body: UndoBody, options: SendOptions) => Promise<UndoReply>
  /** The call that processes everything at once, for "Show as API call". */
  apiCall: (body: Body) => ApiCall
  refresh: () => Promise<void>
  /** Title of the list of failures, e.g. "Failed users". */
  failedLabel: string
  /** File name of the CSV of failures, e.g. `failed-users`. */
  failedFile: string
  /** Renders a name if plain text is not enough. */
  nameOf?: (name: string) => ReactNode
  restoredText: (restored: number) => string
  /** Number of rows that undo left as they are; by default, because they have changed. */
  leftText?: (failed: number) => string
}

/** A bulk action as data; `BulkDialog` does the rest. */
export interface BulkAction<Body extends object, Filter> extends BulkKind<Body> {
  body: (rows: BulkRows<Filter>) => Body
  /** Choices that do not change the counts, available once the server has counted. */
  choices?: (counts: BulkCounts | undefined) => Partial<Body>
  /**
   * A destructive action: shown in red; for many rows, a text must be typed: the app name for deletions, otherwise a
   * short word.
   */
  danger?: { appName: string } | { word: string }
  title: (count: number) => string
  description: string
  confirmLabel: string
  /** Sentences about the effects, each with its number of rows; omitted for zero rows. */
  effects: (counts: BulkCounts) => readonly (readonly [rows: number, sentence: string])[]
  doneText: (counts: BulkCounts) => string
  /** Rows that the action skips by its rules; retrying them is not offered. */
  skippedText?: (counts: BulkCounts) => string | undefined
  failureText: (error: unknown) => string
}

/** Undefined until the rows of a filter have been counted. */
export const targetCount = (target: BulkTarget<unknown>) => ('names' in target ? target.names.length : target.count)

export function rowsOf<Filter>(target: BulkTarget<Filter>): BulkRows<Filter> {
  if ('names' in target) return { names: [...target.names] }
  const { filter, count } = target
  return { filter, ...(count !== undefined && { expectedCount: count }) }
}
