import type { AuditEvent } from '#contract/audit-events.ts'
import { maxBulkNames, selectionErrors } from '#contract/bulk.ts'
import { filled, type Problem, type ErrorDefinition, reject } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { type AppContext, recordAudit } from '../audit/audit.ts'
import { BatchedScan } from './batched-scan.ts'
import { expectedRows } from './expected-rows.ts'
import { newOperation, recordUndo, type RowStates } from './undo-log.ts'

/**
 * Actions on many rows: named ones, or all that match a filter. In one transaction per batch, the rows are locked once,
 * checked, changed by one statement, and recorded as they were before and after.
 */

/** Small enough that heartbeats get their turn between two transactions. */
const rowsPerTransaction = 500
/** A filter may match a million rows, so the number of listed results is limited. */
const maxListed = 1000

export interface BulkTarget<F> {
  names?: readonly string[] | undefined
  filter?: F | undefined
  expectedCount?: number | undefined
  /** Rows with higher IDs do not match. */
  newestId?: number | undefined
  after?: number | undefined
  maxRows?: number | undefined
  dryRun?: boolean | undefined
  undoId?: string | undefined
}

/** How a feature finds and locks the rows of an app. */
export interface BulkRows<Row extends { id: number }, F> {
  lock: (tx: Tx, choice: { names: readonly string[] } | { ids: readonly number[] }) => Promise<Row[]>
  /** Returns those of the locked rows that still match the filter. */
  stillMatches: (tx: Tx, rows: readonly Row[], filter: F) => Promise<readonly Row[]> | readonly Row[]
  list: (filter: F, page: { afterId: number; limit: number }) => Promise<readonly { id: number }[]>
  /** The number of matching rows up to this ID. */
  count: (filter: F, newestId: number) => Promise<number>
  /** The highest ID of the app's rows, or 0. */
  newestId: () => Promise<number>
  /** For the audit log: `licenses`. */
  noun: string
  nameOf: (row: Row) => string
  /** Normalizes a name, so that different spellings compare equal. */
  keyOf: (name: string) => string
  notFound: Problem & ErrorDefinition
  nothingSelected: () => never
}

/**
 * The outcome for one row. Without a problem, it succeeds: `changed`, or unchanged because it was already in that
 * state.
 */
export interface RowOutcome {
  changed: boolean
  inUse?: boolean
  problem?: Problem & { message: string }
  /** An additional count the row belongs to; the count of its own problem. */
  countAs?: string
}

export interface BulkAction<Row, State> {
  /** Event of the audit log and the undo log: `license.bulk-ban`. */
  name: AuditEvent
  details?: Record<string, unknown>
  preview: (tx: Tx, rows: readonly Row[]) => Promise<Map<number, RowOutcome>> | Map<number, RowOutcome>
  /** Locks what changes together with these rows; called before their states are read. */
  lockRelated?: (tx: Tx, rows: readonly Row[]) => Promise<unknown>
  /** Changes exactly these rows; `undoId` names the deletion of an action that fills the bin. */
  apply: (tx: Tx, rows: readonly Row[], undoId: string) => Promise<unknown>
  /** The deleted rows lie in the bin, from which `/bin/restore` restores them. */
  fillsBin?: boolean
  /** The state that undo restores; without it, the action cannot be undone. Read while the rows are locked. */
  snapshot?: (tx: Tx, ids: readonly number[]) => Promise<Map<number, State>>
}

export interface BulkResult {
  name: string
  ok: boolean
  changed: boolean
  code?: string | undefined
  values?: Problem['values']
  message: string
}

export interface BulkReport {
  dryRun: boolean
  done: number
  failed: number
  next: number | null
  /** The highest ID of the rows that a filter was applied to; null for names. */
  newestId: number | null
  undoId: string | null
  counts: { changed: number; unchanged: number; inUse: number; notFound: number } & Record<string, number>
  results: BulkResult[]
}

interface Bulk<Row extends { id: number }, F, S> {
  db: Database
  context: AppContext
  rows: BulkRows<Row, F>
  action: BulkAction<Row, S>
  target: BulkTarget<F>
}

const newReport = ({ target }: { target: BulkTarget<unknown> }): BulkReport => ({
  dryRun: target.dryRun === true,
  done: 0,
  failed: 0,
  next: null,
  newestId: null,
  undoId: target.undoId ?? null,
  counts: { changed: 0, unchanged: 0, inUse: 0, notFound: 0 },
  results: [],
})

/** Processes batch after batch, each in its own transaction; batches before a failure stay committed. */
export async function runBulk<Row extends { id: number }, F, S>(bulk: Bulk<Row, F, S>): Promise<BulkReport> {
  const report = newReport(bulk)
  const { db, rows, target } = bulk
  // PostgreSQL may retry a transaction: only committed results are reported.
  const run = async (work: (tx: Tx) => Promise<BatchOutcome>) => addBatch(report, await db.write(work))
  const names = distinctNames(rows, target.names)
  if (names) {
    for (let from = 0; from < names.length; from += rowsPerTransaction) {
      throwIfAborted()
      const some = names.slice(from, from + rowsPerTransaction)
      await run((tx) => runNames(tx, bulk, some, report.undoId))
    }
  } else {
    const filter = checkSelection(bulk, undefined)
    const newestId = target.newestId ?? (await rows.newestId())
    const scan = scanOf(rows, { ...target, newestId }, filter)
    const isCounted = target.expectedCount !== undefined && target.after === undefined
    const isWhole = target.maxRows === undefined
    if (isCounted && !isWhole) checkSelection(bulk, await rows.count(filter, newestId))
    const batches = expectedRows(idsOf(scan), { count: isCounted && isWhole ? target.expectedCount : undefined })
    for await (const ids of batches) await run((tx) => runIds(tx, bulk, ids, report.undoId))
    report.next = scan.next
    report.newestId = newestId
  }
  return sorted(report)
}

async function* idsOf(scan: BatchedScan<{ id: number }>): AsyncGenerator<readonly number[]> {
  for await (const rows of scan.batches()) yield rows.map(({ id }) => id)
}

/** The rows of a filter, as they were before the transaction that changes them. */
export interface FoundRows {
  count: number | undefined
  batches: (readonly number[])[]
  next: number | null
  newestId: number | null
}

/**
 * Finds the rows for `runBulkOnce` outside its transaction, because scanning a million rows would block other writers.
 * Rejects nothing, because the reply to the same key may already exist.
 */
export async function findBulkRows<Row extends { id: number }, F>(
  rows: BulkRows<Row, F>,
  target: BulkTarget<F>,
): Promise<FoundRows> {
  const { filter, expectedCount, after } = target
  const found: FoundRows = { count: undefined, batches: [], next: null, newestId: null }
  if (target.names || !filter) return found
  const newestId = target.newestId ?? (await rows.newestId())
  if (expectedCount !== undefined && after === undefined) found.count = await rows.count(filter, newestId)
  const maxRows = Math.min(target.maxRows ?? maxBulkNames, maxBulkNames)
  const scan = scanOf(rows, { ...target, maxRows, newestId }, filter)
  for await (const ids of idsOf(scan)) found.batches.push(ids)
  return { ...found, next: scan.next, newestId }
}

/** The same in one transaction, for a caller with an `Idempotency-Key`: at most 1000 rows of a filter. */
export async function runBulkOnce<Row extends { id: number }, F, S>(
  tx: Tx,
  bulk: Bulk<Row, F, S>,
  found?: FoundRows,
): Promise<BulkReport> {
  const report = newReport(bulk)
  const names = distinctNames(bulk.rows, bulk.target.names)
  if (names) addBatch(report, await runNames(tx, bulk, names, report.undoId))
  else {
    const { count, batches, next, newestId } = found ?? { count: undefined, batches: [], next: null, newestId: null }
    checkSelection(bulk, count)
    for (const ids of batches) addBatch(report, await runIds(tx, bulk, ids, report.undoId))
    report.next = next
    report.newestId = newestId
  }
  return sorted(report)
}

function distinctNames<Row extends { id: number }, F>(
  { keyOf }: BulkRows<Row, F>,
  names: readonly string[] | undefined,
): string[] | undefined {
  return names && [...new Map(names.map((name) => [keyOf(name), name])).values()]
}

/** Rejects a filter that matches another number of rows than the caller saw; only checked for the first batch. */
function checkSelection<Row extends { id: number }, F, S>(
  { rows, target }: Bulk<Row, F, S>,
  count: number | undefined,
): F {
  const { filter, expectedCount, after, dryRun } = target
  if (!filter || (expectedCount === undefined && after === undefined && !dryRun)) return rows.nothingSelected()
  if (count !== undefined && count !== expectedCount)
    reject(selectionErrors, 'SELECTION_CHANGED', { values: { count } })
  return filter
}

const scanOf = <Row extends { id: number }, F>(rows: BulkRows<Row, F>, target: BulkTarget<F>, filter: F) =>
  new BatchedScan(target, rowsPerTransaction, (afterId, limit) => rows.list(filter, { afterId, limit }))

/** The result of one transaction. */
interface BatchOutcome {
  undoId: string | null
  rows: [name: string, outcome: RowOutcome][]
}

async function runNames<Row extends { id: number }, F, S>(
  tx: Tx,
  bulk: Bulk<Row, F, S>,
  names: readonly string[],
  undoId: string | null,
): Promise<BatchOutcome> {
  const { lock, nameOf, keyOf, notFound } = bulk.rows
  const locked = await lock(tx, { names })
  const batch = await runLocked(tx, bulk, locked, undoId)
  const found = new Set(locked.map((row) => keyOf(nameOf(row))))
  const missing = names.filter((name) => !found.has(keyOf(name)))
  const outcome = { changed: false, problem: notFound, countAs: 'notFound' }
  return { ...batch, rows: [...batch.rows, ...missing.map((name) => [name, outcome] as [string, RowOutcome])] }
}

async function runIds<Row extends { id: number }, F, S>(
  tx: Tx,
  bulk: Bulk<Row, F, S>,
  ids: readonly number[],
  undoId: string | null,
): Promise<BatchOutcome> {
  const { lock, stillMatches } = bulk.rows
  const locked = await lock(tx, { ids })
  // A row may have changed since the list was read.
  return runLocked(tx, bulk, await stillMatches(tx, locked, bulk.target.filter as F), undoId)
}

async function runLocked<Row extends { id: number }, F, S>(
  tx: Tx,
  { context, rows, action, target: { dryRun } }: Bulk<Row, F, S>,
  locked: readonly Row[],
  undoId: string | null,
): Promise<BatchOutcome> {
  const outcomes = await action.preview(tx, locked)
  const batch: BatchOutcome = {
    undoId,
    rows: locked.map((row) => [rows.nameOf(row), outcomes.get(row.id) ?? { changed: false }]),
  }
  if (dryRun || locked.length === 0) return batch
  const changing = locked.filter(({ id }) => outcomes.get(id)?.changed)
  const operation = undoId ?? newOperation()
  if (changing.length > 0) {
    const ids = changing.map(({ id }) => id)
    await action.lockRelated?.(tx, changing)
    const before = await action.snapshot?.(tx, ids)
    await action.apply(tx, changing, operation)
    if (action.fillsBin) batch.undoId = operation
    if (before && action.snapshot) {
      const after = await action.snapshot(tx, ids)
      const states = ids.map((id) => ({ id, before: before.get(id), after: after.get(id) }) as RowStates<S>)
      const record = { act: action.name, undoId: undoId ?? undefined, newId: operation, states }
      batch.undoId = await recordUndo(tx, context, record)
    }
  }
  const names = changing.map((row) => rows.nameOf(row))
  const isUndoable = names.length > 0 && (action.fillsBin || action.snapshot !== undefined)
  const target = { noun: rows.noun, names }
  await recordAudit(tx, context, {
    act: action.name,
    target,
    ...(action.details && { details: action.details }),
    ...(isUndoable && { operations: [operation] }),
  })
  return batch
}

function addBatch(report: BulkReport, { undoId, rows }: BatchOutcome): void {
  report.undoId = undoId
  for (const [name, outcome] of rows) addResult(report, name, outcome)
}

function addResult(report: BulkReport, name: string, { changed, inUse, problem, countAs }: RowOutcome): void {
  const ok = problem === undefined
  if (ok) report.done += 1
  else report.failed += 1
  const count = countAs ?? (changed ? 'changed' : 'unchanged')
  report.counts[count] = (report.counts[count] ?? 0) + 1
  if (changed && inUse) report.counts.inUse += 1
  const message = problem ? filled(problem.message, problem.values) : ''
  const result = { name, ok, changed, code: problem?.code, values: problem?.values, message }
  if (report.results.length < maxListed) report.results.push(result)
  else if (!ok) {
    // Failures are listed before successes.
    const spare = report.results.findIndex((each) => each.ok)
    if (spare >= 0) report.results[spare] = result
  }
}

const sorted = (report: BulkReport): BulkReport => ({
  ...report,
  results: report.results.toSorted((one, other) => Number(one.ok) - Number(other.ok)),
})
