import type { ReactNode } from 'react'
import type { ApiCall } from '../api-call/api-call.ts'
import type { CallOptions } from '../api/call-types.ts'
import type { Coded } from '../texts/code-text.ts'

/** Above so many rows an act is counted by the server first, and a dangerous one wants a word typed. */
export const maxUncountedRows = 100

/** The rows an act is about: named ones, or all of a filter; `count` as the person saw it, if anybody did. */
export type BulkTarget<Filter> = { names: readonly string[] } | { filter: Filter; count?: number }

/** The same as a call names them: it is refused when the filter no longer has that count. */
export type BulkRows<Filter> = { names: string[] } | { filter: Filter; expectedCount?: number }

/** What the kit adds to the body of each batch. */
export interface BatchFields {
  dryRun?: boolean
  maxRows?: number
  after?: number
  /** Joins this batch to the undo record that an earlier one began. */
  undoId?: string
}

export interface BulkCounts {
  changed: number
  /** They are so already. */
  unchanged: number
  /** Of the changed ones. */
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

/** What all acts on one kind of row share. Built for one app: Undo may be pressed after another was selected. */
export interface BulkKind<Body extends object> {
  send: (body: Body & BatchFields, options: SendOptions) => Promise<BulkReply>
  undo: (body: UndoBody, options: SendOptions) => Promise<UndoReply>
  /** The call that does it all at once, for "Show as API call". */
  apiCall: (body: Body) => ApiCall
  refresh: () => Promise<void>
  /** Names the list of what failed, e.g. "Failed users". */
  failedLabel: string
  /** Of the CSV of failures, e.g. `failed-users`. */
  failedFile: string
  /** How a name is shown when plain text is not enough. */
  nameOf?: (name: string) => ReactNode
  restoredText: (restored: number) => string
}

/** An act on many rows as data; `BulkDialog` does the rest. */
export interface BulkAct<Body extends object, Filter> extends BulkKind<Body> {
  body: (rows: BulkRows<Filter>) => Body
  /** What the person chose besides that changes nothing about the counts; these once the server gave them. */
  choices?: (counts: BulkCounts | undefined) => Partial<Body>
  /** Red everywhere; of many rows, this must be typed: the app's name for deletes, a short word otherwise. */
  danger?: { appName: string } | { word: string }
  title: (count: number) => string
  description: string
  confirmLabel: string
  /** What it will do, in sentences, each about so many rows; one about none is left out. */
  effects: (counts: BulkCounts) => readonly (readonly [rows: number, sentence: string])[]
  doneText: (counts: BulkCounts) => string
  /** Of an act that passes rows over by its rules: who was left alone. Nobody is asked to try those again. */
  skippedText?: (counts: BulkCounts) => string | undefined
  failureText: (error: unknown) => string
  /** The seller API has a call that does the same. */
  sellerApi?: boolean
}

/** Undefined until somebody has counted the rows of a filter. */
export const targetCount = (target: BulkTarget<unknown>) => ('names' in target ? target.names.length : target.count)

export function rowsOf<Filter>(target: BulkTarget<Filter>): BulkRows<Filter> {
  if ('names' in target) return { names: [...target.names] }
  const { filter, count } = target
  return { filter, ...(count !== undefined && { expectedCount: count }) }
}
