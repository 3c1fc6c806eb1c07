import type { AuditEvent } from '#contract/audit-events.ts'
import type { Database, Tx } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { type AppContext, recordAudit } from '../audit/audit.ts'
import { type RowId, type RowStates, takeUndoBatch } from './undo-log.ts'

export interface UndoReport {
  restored: number
  failed: number
  next: number | null
}

export interface UndoActions<S, I extends RowId = number> {
  /** What this undoes. */
  events: readonly AuditEvent[]
  noun: string
  /** Locks these rows and names them for the audit log. */
  lock: (tx: Tx, event: AuditEvent, ids: readonly I[]) => Promise<readonly { id: I; name: string }[]>
  /** The current states of these rows, in the same shape as the snapshots of the action. */
  snapshot: (tx: Tx, event: AuditEvent, recorded: readonly RowStates<S, I>[]) => Promise<Map<I, S>>
  restore: (tx: Tx, event: AuditEvent, states: readonly { id: I; state: S }[]) => Promise<unknown>
}

interface Undo<S, I extends RowId> {
  db: Database
  context: AppContext
  undoId: string
  maxRows?: number | undefined
  undo: UndoActions<S, I>
}

/**
 * Restores the states recorded by an action, last batch first, each in its own transaction. A row that was deleted or
 * changed since stays as it is and counts as failed. `next` indicates that more batches are left.
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

/** Undoes one recorded batch in one transaction, for a caller with an `Idempotency-Key`. */
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
  await recordAudit(tx, context, { act: `${act}.undo`, target, operations: [undoId] })
  return { restored: restorable.length, failed: states.length - restorable.length, number }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
