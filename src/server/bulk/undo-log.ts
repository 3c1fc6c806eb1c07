import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuditEvent } from '#contract/audit-events.ts'
import { bulkErrors } from '#contract/bulk.ts'
import { sql } from 'kysely'
import { reject } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import type { AppContext } from '../audit/audit.ts'

interface UndoOperationsTable {
  id: string
  app_id: string
  act: AuditEvent
  created_at: number
  /** Epoch seconds; null for the usual half hour. */
  keep_until: number | null
}

interface UndoBatchesTable {
  operation_id: string
  number: number
  states: string
}

declare module '#database/schema.ts' {
  interface Schema {
    undo_operations: UndoOperationsTable
    undo_batches: UndoBatchesTable
  }
}

export type RowId = number | string

/** A row before and after an action: the state that undo restores, and the state the row must still have for it. */
export interface RowStates<S, I extends RowId = number> {
  id: I
  before: S
  after: S
}

/** ID for an undo record whose audit row is written first. */
export const newOperation = (): string => randomUUID()

export const undoRetentionSeconds = 1800
/** Batches can be added for this long, so that no action is undoable for ever. */
const maxActionSeconds = 86_400

/** The last moment at which an action can be undone, in epoch seconds. */
export const undoableUntil = (table = 'undo_operations') =>
  sql<number>`coalesce(${sql.ref(`${table}.keep_until`)}, ${sql.ref(`${table}.created_at`)} + ${undoRetentionSeconds})`

/** Stores the states of a batch in the transaction that changed the rows; returns the ID for undoing the action. */
export async function recordUndo<S, I extends RowId = number>(
  tx: Tx,
  { app, now }: AppContext,
  record: {
    act: AuditEvent
    /** The previous batches, which are undone together with this one. */
    undoId: string | undefined
    /** ID of a first batch. */
    newId?: string
    /** Epoch seconds until which the action can be undone; by default, half an hour from now. */
    keepUntil?: number
    states: readonly RowStates<S, I>[]
  },
): Promise<string | null> {
  const { act, undoId, newId = newOperation(), keepUntil = null, states } = record
  if (states.length === 0) return undoId ?? null
  const id = undoId ?? newId
  if (undoId === undefined) {
    const operation = { id, app_id: app.id, act, created_at: now, keep_until: keepUntil }
    await tx.db.insertInto('undo_operations').values(operation).execute()
  } else {
    const operation = await lockOperation(tx, { appId: app.id, now, events: [act], id })
    await keepAtLeast(
      tx,
      operation,
      Math.min(now + undoRetentionSeconds, Number(operation.created_at) + maxActionSeconds),
    )
  }
  const { last } = await tx.db
    .selectFrom('undo_batches')
    .select((select) => select.fn.max('number').as('last'))
    .where('operation_id', '=', id)
    .executeTakeFirstOrThrow()
  const number = Number(last ?? 0) + 1
  await tx.db
    .insertInto('undo_batches')
    .values({ operation_id: id, number, states: JSON.stringify(states) })
    .execute()
  return id
}

/**
 * Changes locked rows, and records the states of those that differ around the change, so that undo restores them.
 * `undoId` is null when the change made no difference.
 */
export async function changeRowsUndoably<S, R>(
  tx: Tx,
  context: AppContext,
  { act, states }: { act: AuditEvent; states: () => Promise<ReadonlyMap<number, S>> },
  /** Receives the ID for its audit row. */
  change: (operation: string) => Promise<R>,
): Promise<{ result: R; undoId: string | null }> {
  const newId = newOperation()
  const earlier = await states()
  const result = await change(newId)
  const later = await states()
  const changed = [...later].flatMap(([id, after]) => {
    const before = earlier.get(id)
    return before === undefined || isDeepStrictEqual(before, after) ? [] : [{ id, before, after }]
  })
  return { result, undoId: await recordUndo(tx, context, { act, undoId: undefined, newId, states: changed }) }
}

/** The same for one row. */
export const changeUndoably = <S, R>(
  tx: Tx,
  context: AppContext,
  { act, id, state }: { act: AuditEvent; id: number; state: () => Promise<S> },
  change: (operation: string) => Promise<R>,
): Promise<{ result: R; undoId: string | null }> =>
  changeRowsUndoably(tx, context, { act, states: async () => new Map([[id, await state()]]) }, change)

/**
 * Takes the next batch of an action to be undone, last batch first, so that it is undone only once; undefined when none
 * is left.
 */
export async function takeUndoBatch<S, I extends RowId = number>(
  tx: Tx,
  { app, now }: AppContext,
  { events, undoId }: { events: readonly AuditEvent[]; undoId: string },
): Promise<{ act: AuditEvent; number: number; states: RowStates<S, I>[] } | undefined> {
  const operation = await lockOperation(tx, { appId: app.id, now, events, id: undoId })
  const batch = await tx.db
    .selectFrom('undo_batches')
    .selectAll()
    .where('operation_id', '=', undoId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!batch) return undefined
  await tx.db.deleteFrom('undo_batches').where('operation_id', '=', undoId).where('number', '=', batch.number).execute()
  // What has begun can be finished: each batch is taken only once, so this ends.
  if (batch.number > 1) await keepAtLeast(tx, operation, now + undoRetentionSeconds)
  return { act: operation.act, number: batch.number, states: JSON.parse(batch.states) as RowStates<S, I>[] }
}

/** Call with the operation locked: it stays until then, or longer if it does anyway. */
async function keepAtLeast(tx: Tx, { id, created_at, keep_until }: UndoOperationsTable, until: number): Promise<void> {
  if (until <= Number(keep_until ?? Number(created_at) + undoRetentionSeconds)) return
  await tx.db.updateTable('undo_operations').set({ keep_until: until }).where('id', '=', id).execute()
}

async function lockOperation(
  tx: Tx,
  { appId, now, events, id }: { appId: string; now: number; events: readonly AuditEvent[]; id: string },
) {
  const query = tx.db
    .selectFrom('undo_operations')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .where(undoableUntil(), '>=', now)
  const operation = await locking(tx.db, query).executeTakeFirst()
  return operation && events.includes(operation.act) ? operation : reject(bulkErrors, 'UNDO_NOT_FOUND')
}

/** Deletes recorded actions on an app's rows that can no longer be undone. */
export async function forgetUndo<S>(
  { db }: Tx,
  {
    appId,
    events,
    matches,
  }: { appId: string; events: readonly AuditEvent[]; matches: (states: RowStates<S>) => boolean },
): Promise<void> {
  const batches = await db
    .selectFrom('undo_operations')
    .innerJoin('undo_batches', 'undo_batches.operation_id', 'undo_operations.id')
    .select(['undo_operations.id', 'undo_batches.states'])
    .where('undo_operations.app_id', '=', appId)
    .where('undo_operations.act', 'in', [...events])
    .execute()
  const ids = batches.filter(({ states }) => (JSON.parse(states) as RowStates<S>[]).some(matches)).map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('undo_operations').where('id', 'in', ids).execute()
}

export async function forgetOldUndo(db: Pick<Database, 'write'>, now: number): Promise<void> {
  const usual = sql`created_at < ${now - undoRetentionSeconds} and keep_until is null order by created_at`
  await deleteInBatches(db, 'undo_operations', usual)
  await deleteInBatches(db, 'undo_operations', sql`keep_until < ${now} order by keep_until`)
}
