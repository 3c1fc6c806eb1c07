import type { AuditEvent } from '#contract/audit-events.ts'
import { maxBulkNames } from '#contract/bulk.ts'
import { filled, type Problem, type ErrorDefinition } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { type AppContext, recordAudit } from '../audit.ts'
import { BatchedScan } from './batched-scan.ts'
import { recordUndo, type RowId, type RowStates, takeUndoBatch } from './undo-log.ts'

/**
 * Acts on many rows: named ones, or all that match a filter. The rows of a batch are locked once, looked at,
 * changed by one statement for all, and their states before and after recorded, all in one transaction.
 */

/** So many that heartbeats pass between two transactions. */
const rowsPerTransaction = 500
/** A whole filter may be a million rows: no more results are listed than this. */
const maxListed = 1000

export interface BulkTarget<F> {
  names?: readonly string[] | undefined
  filter?: F | undefined
  expectedCount?: number | undefined
  after?: number | undefined
  maxRows?: number | undefined
  dryRun?: boolean | undefined
  undoId?: string | undefined
}

/** How a feature finds and locks the rows of an app. */
export interface BulkRows<Row extends { id: number }, F> {
  lock: (tx: Tx, choice: { names: readonly string[] } | { ids: readonly number[] }) => Promise<Row[]>
  /** Those of these locked rows that the filter still matches. */
  stillMatches: (tx: Tx, rows: readonly Row[], filter: F) => Promise<readonly Row[]> | readonly Row[]
  list: (filter: F, page: { afterId: number; limit: number }) => Promise<readonly { id: number }[]>
  count: (filter: F) => Promise<number>
  /** For the audit log: `licenses`. */
  noun: string
  nameOf: (row: Row) => string
  /** What two spellings of one name have in common. */
  keyOf: (name: string) => string
  notFound: Problem & ErrorDefinition
  nothingSelected: () => never
  selectionChanged: (count: number) => never
}

/** What an act makes of one row. Without a problem it succeeds, `changed` or because it was so before. */
export interface RowOutcome {
  changed: boolean
  inUse?: boolean
  problem?: Problem & { message: string }
  /** Where it is counted besides; a problem's own count. */
  countAs?: string
}

export interface BulkAct<Row, State> {
  /** In the audit log and the undo log: `license.bulk-ban`. */
  name: AuditEvent
  details?: Record<string, unknown>
  preview: (tx: Tx, rows: readonly Row[]) => Promise<Map<number, RowOutcome>> | Map<number, RowOutcome>
  /** Changes exactly these rows. */
  apply: (tx: Tx, rows: readonly Row[]) => Promise<unknown>
  /** The state that undoing restores; without it the act can't be undone. Read under the lock. */
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
  undoId: string | null
  counts: { changed: number; unchanged: number; inUse: number; notFound: number } & Record<string, number>
  results: BulkResult[]
}

interface Bulk<Row extends { id: number }, F, S> {
  db: Database
  context: AppContext
  rows: BulkRows<Row, F>
  act: BulkAct<Row, S>
  target: BulkTarget<F>
}

const newReport = ({ target }: { target: BulkTarget<unknown> }): BulkReport => ({
  dryRun: target.dryRun === true,
  done: 0,
  failed: 0,
  next: null,
  undoId: target.undoId ?? null,
  counts: { changed: 0, unchanged: 0, inUse: 0, notFound: 0 },
  results: [],
})

/** Batch after batch, each its own transaction; what was done before a failure stays done (R-LIC-07). */
export async function runBulk<Row extends { id: number }, F, S>(bulk: Bulk<Row, F, S>): Promise<BulkReport> {
  const report = newReport(bulk)
  const { db, rows, target } = bulk
  // PostgreSQL may run a transaction again: only what was committed goes into the report.
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
    const isCounted = target.expectedCount !== undefined && target.after === undefined
    if (isCounted) checkSelection(bulk, await rows.count(filter))
    const scan = scanOf(rows, target, filter)
    for await (const batch of scan.batches()) await run((tx) => runIds(tx, bulk, batch, report.undoId))
    report.next = scan.next
  }
  return sorted(report)
}

/** The rows of a filter, as they were before the transaction that acts on them. */
export interface FoundRows {
  count: number | undefined
  batches: (readonly { id: number }[])[]
  next: number | null
}

/**
 * What `runBulkOnce` acts on: looking through a million rows for them takes longer than others should wait for a
 * transaction. It refuses nothing, because the answer to the same call may be known already.
 */
export async function findBulkRows<Row extends { id: number }, F>(
  rows: BulkRows<Row, F>,
  target: BulkTarget<F>,
): Promise<FoundRows> {
  const { filter, expectedCount, after } = target
  const found: FoundRows = { count: undefined, batches: [], next: null }
  if (target.names || !filter) return found
  if (expectedCount !== undefined && after === undefined) found.count = await rows.count(filter)
  const maxRows = Math.min(target.maxRows ?? maxBulkNames, maxBulkNames)
  const scan = scanOf(rows, { ...target, maxRows }, filter)
  for await (const batch of scan.batches()) found.batches.push(batch)
  return { ...found, next: scan.next }
}

/** The same in one transaction, for a caller with an `Idempotency-Key`: of a filter at most a thousand rows. */
export async function runBulkOnce<Row extends { id: number }, F, S>(
  tx: Tx,
  bulk: Bulk<Row, F, S>,
  found?: FoundRows,
): Promise<BulkReport> {
  const report = newReport(bulk)
  const names = distinctNames(bulk.rows, bulk.target.names)
  if (names) addBatch(report, await runNames(tx, bulk, names, report.undoId))
  else {
    const { count, batches, next } = found ?? { count: undefined, batches: [], next: null }
    checkSelection(bulk, count)
    for (const batch of batches) addBatch(report, await runIds(tx, bulk, batch, report.undoId))
    report.next = next
  }
  return sorted(report)
}

function distinctNames<Row extends { id: number }, F>(
  { keyOf }: BulkRows<Row, F>,
  names: readonly string[] | undefined,
): string[] | undefined {
  return names && [...new Map(names.map((name) => [keyOf(name), name])).values()]
}

/** Refuses a filter that matches another number of rows than the caller saw; the first part of an act alone can say. */
function checkSelection<Row extends { id: number }, F, S>(
  { rows, target }: Bulk<Row, F, S>,
  count: number | undefined,
): F {
  const { filter, expectedCount, after, dryRun } = target
  if (!filter || (expectedCount === undefined && after === undefined && !dryRun)) return rows.nothingSelected()
  if (count !== undefined && count !== expectedCount) rows.selectionChanged(count)
  return filter
}

const scanOf = <Row extends { id: number }, F>(rows: BulkRows<Row, F>, target: BulkTarget<F>, filter: F) =>
  new BatchedScan(target, rowsPerTransaction, (afterId, limit) => rows.list(filter, { afterId, limit }))

/** What one transaction did. */
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
  batch: readonly { id: number }[],
  undoId: string | null,
): Promise<BatchOutcome> {
  const { lock, stillMatches } = bulk.rows
  const locked = await lock(tx, { ids: batch.map(({ id }) => id) })
  // Somebody may have changed one since the list was read: paid in this moment, for one.
  return runLocked(tx, bulk, await stillMatches(tx, locked, bulk.target.filter as F), undoId)
}

async function runLocked<Row extends { id: number }, F, S>(
  tx: Tx,
  { context, rows, act, target }: Bulk<Row, F, S>,
  locked: readonly Row[],
  undoId: string | null,
): Promise<BatchOutcome> {
  const outcomes = await act.preview(tx, locked)
  const batch: BatchOutcome = {
    undoId,
    rows: locked.map((row) => [rows.nameOf(row), outcomes.get(row.id) ?? { changed: false }]),
  }
  if (target.dryRun || locked.length === 0) return batch
  const changing = locked.filter(({ id }) => outcomes.get(id)?.changed)
  if (changing.length > 0) {
    const ids = changing.map(({ id }) => id)
    const before = await act.snapshot?.(tx, ids)
    await act.apply(tx, changing)
    if (before && act.snapshot) {
      const after = await act.snapshot(tx, ids)
      const states = ids.map((id) => ({ id, before: before.get(id), after: after.get(id) }) as RowStates<S>)
      batch.undoId = await recordUndo(tx, context, { act: act.name, undoId: undoId ?? undefined, states })
    }
  }
  const names = changing.map((row) => rows.nameOf(row))
  await recordAudit(tx, context, { act: act.name, target: { noun: rows.noun, names }, details: act.details })
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
    // A failure is worth more than the news of a success.
    const spare = report.results.findIndex((each) => each.ok)
    if (spare >= 0) report.results[spare] = result
  }
}

const sorted = (report: BulkReport): BulkReport => ({
  ...report,
  results: report.results.toSorted((one, other) => Number(one.ok) - Number(other.ok)),
})

export interface UndoReport {
  restored: number
  failed: number
  next: number | null
}

export interface UndoActs<S, I extends RowId = number> {
  /** What this undoes. */
  events: readonly AuditEvent[]
  noun: string
  /** Locks these rows and names them for the audit log. */
  lock: (tx: Tx, event: AuditEvent, ids: readonly I[]) => Promise<readonly { id: I; name: string }[]>
  /** The states of these rows now, as the act's own snapshot gives them. */
  snapshot: (tx: Tx, event: AuditEvent, recorded: readonly RowStates<S, I>[]) => Promise<Map<I, S>>
  restore: (tx: Tx, event: AuditEvent, states: readonly { id: I; state: S }[]) => Promise<unknown>
}

interface Undo<S, I extends RowId> {
  db: Database
  context: AppContext
  undoId: string
  maxRows?: number | undefined
  undo: UndoActs<S, I>
}

/**
 * Restores the states that an act recorded, the last batch first, a transaction each. A row that is gone or that
 * somebody has changed since stays as it is and counts as failed. `next` says that more batches wait.
 */
export async function runUndo<S, I extends RowId>(undo: Undo<S, I>): Promise<UndoReport> {
  const total: UndoReport = { restored: 0, failed: 0, next: null }
  const { maxRows = Infinity } = undo
  for (;;) {
    throwIfAborted()
    const part = await undo.db.write((tx) => undoBatch(tx, undo))
    if (!part) return { ...total, next: null }
    total.restored += part.restored
    total.failed += part.failed
    if (total.restored + total.failed >= maxRows) return { ...total, next: part.number > 1 ? part.number - 1 : null }
  }
}

/** One recorded batch of it in one transaction, for a caller with an `Idempotency-Key`. */
export async function runUndoOnce<S, I extends RowId>(tx: Tx, undo: Undo<S, I>): Promise<UndoReport> {
  const part = await undoBatch(tx, undo)
  if (!part) return { restored: 0, failed: 0, next: null }
  const { restored, failed, number } = part
  return { restored, failed, next: number > 1 ? number - 1 : null }
}

async function undoBatch<S, I extends RowId>(
  tx: Tx,
  { context, undoId, undo }: Undo<S, I>,
): Promise<{ restored: number; failed: number; number: number } | undefined> {
  const batch = await takeUndoBatch<S, I>(tx, context, { events: undo.events, undoId })
  if (!batch) return undefined
  const { act, states, number } = batch
  const ids = states.map(({ id }) => id)
  const names = new Map((await undo.lock(tx, act, ids)).map(({ id, name }) => [id, name]))
  const current = await undo.snapshot(tx, act, states)
  const restorable = states.filter(({ id, after }) => isSame(current.get(id), after))
  await undo.restore(
    tx,
    act,
    restorable.map(({ id, before }) => ({ id, state: before })),
  )
  const target = { noun: undo.noun, names: restorable.map(({ id }) => names.get(id) ?? String(id)) }
  await recordAudit(tx, context, { act: `${act}.undo`, target })
  return { restored: restorable.length, failed: states.length - restorable.length, number }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
