import { isBinKind } from '#contract/bin.ts'
import { type CallError, reject } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { lockAccount } from '#features/accounts/accounts.actions.ts'
import { cleanUpWebhooks } from '#features/webhooks/deleted-webhooks.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { binErrors } from './bin.errors.ts'
import { type BinItem, lockItems, lockItemsOfDeletion, lockOldestItems } from './bin.reads.ts'
import { deleteItems } from './bin.writes.ts'
import { restoreItems } from './restore-items.ts'

/** Small enough that heartbeats get their turn between two transactions. */
const rowsPerTransaction = 500
/** Failures in a reply. */
const maxListed = 1000

interface Failure {
  name: string
  kind: BinItem['kind']
  code: string
  values?: CallError['values']
  message: string
}

export interface RestoreReport {
  restored: number
  failed: number
  next: number | null
  failures: Failure[]
}

interface Restored {
  items: BinItem[]
  missing: number
  problems: Map<number, CallError>
}

/** Restores these items. A single one that cannot be restored is rejected. */
export async function restoreByIds(
  write: Database['write'],
  context: AppContext,
  ids: readonly number[],
): Promise<RestoreReport> {
  const distinct = [...new Set(ids)].toSorted((one, other) => other - one)
  if (distinct.length === 0) reject(binErrors, 'NO_BIN_ITEMS_SELECTED')
  const report = newReport()
  for (let from = 0; from < distinct.length; from += rowsPerTransaction) {
    throwIfAborted()
    const some = distinct.slice(from, from + rowsPerTransaction)
    const part = await write(async (tx) => {
      await lockBin(tx, context)
      const items = await lockItems(tx.db, { appId: context.app.id, now: context.now, ids: some })
      const restored = { ...(await restoreLocked(tx, context, items)), missing: some.length - items.length }
      // Thrown here, so that a rejected call changes nothing.
      if (distinct.length === 1) rejectSingle(restored)
      return restored
    })
    addPart(report, part)
  }
  return report
}

function rejectSingle({ missing, problems }: Restored): void {
  if (missing > 0) reject(binErrors, 'BIN_ITEM_NOT_FOUND')
  for (const problem of problems.values()) throw problem
}

interface Deletion {
  undoId: string
  after?: number | undefined
  maxRows?: number | undefined
}

/** Restores what one action deleted, last batch first, each in its own transaction. */
export async function restoreDeletion(
  write: Database['write'],
  context: AppContext,
  { undoId: operation, after, maxRows = Infinity }: Deletion,
): Promise<RestoreReport> {
  const report = newReport()
  let before = after ?? Number.MAX_SAFE_INTEGER
  for (let seen = 0; seen < maxRows;) {
    throwIfAborted()
    const limit = Math.min(rowsPerTransaction, maxRows - seen)
    const part = await write(async (tx) => {
      await lockBin(tx, context)
      const page = { appId: context.app.id, now: context.now, operation, before, limit }
      const items = await lockItemsOfDeletion(tx.db, page)
      return { ...(await restoreLocked(tx, context, items)), missing: 0 }
    })
    addPart(report, part)
    seen += part.items.length
    const last = part.items.at(-1)
    if (!last) {
      if (seen === 0 && after === undefined) reject(binErrors, 'UNDO_NOT_FOUND')
      return report
    }
    before = Number(last.id)
  }
  return { ...report, next: before }
}

/**
 * Before items are locked: the deletion of a file locks the account and then the oldest items, of all apps, that it
 * deletes for good.
 */
const lockBin = (tx: Tx, { app }: AppContext): Promise<unknown> => lockAccount(tx, app.ownerId)

const newReport = (): RestoreReport => ({ restored: 0, failed: 0, next: null, failures: [] })

async function restoreLocked(tx: Tx, context: AppContext, items: BinItem[]): Promise<Omit<Restored, 'missing'>> {
  if (items.length === 0) return { items, problems: new Map() }
  rejectUnsupported(items)
  const problems = await restoreItems(tx, context, items)
  const restored = items.filter(({ id }) => !problems.has(id))
  const ids = restored.map(({ id }) => id)
  await deleteItems(tx.db, context.app.id, ids)
  if (ids.length > 0) {
    const operations = restored.map(({ operation_id }) => operation_id)
    await recordAudit(tx, context, { act: 'bin.restore', target: targetOf(restored), operations })
  }
  return { items, problems }
}

/** A newer version beside this one may have put other kinds into the bin: this one leaves them as they are. */
function rejectUnsupported(items: readonly BinItem[]): void {
  if (!items.every(({ kind }) => isBinKind(kind))) reject(binErrors, 'BIN_ITEM_UNSUPPORTED')
}

const targetOf = (items: readonly BinItem[]) => ({ noun: 'items', names: items.map(({ name }) => name) })

function addPart(report: RestoreReport, { items, missing, problems }: Restored): void {
  report.restored += items.length - problems.size
  report.failed += problems.size + missing
  for (const { id, name, kind } of items) {
    const problem = problems.get(id)
    if (!problem || report.failures.length >= maxListed) continue
    const { code, values, message } = problem
    report.failures.push({ name, kind, code, message, ...(values && { values }) })
  }
}

/** Deletes items for good; those that are gone are skipped. */
export async function deleteForGood(tx: Tx, context: AppContext, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) reject(binErrors, 'NO_BIN_ITEMS_SELECTED')
  const { app, now } = context
  await lockBin(tx, context)
  const items = await lockItems(tx.db, { appId: app.id, now, ids })
  if (items.length === 0) reject(binErrors, 'BIN_ITEM_NOT_FOUND')
  rejectUnsupported(items)
  await deleteItems(
    tx.db,
    app.id,
    items.map(({ id }) => id),
  )
  await cleanUpDeleted(tx, context, items)
  await recordAudit(tx, context, { act: 'bin.delete', target: targetOf(items) })
  return items.length
}

/** Deletes the logs of webhooks that can't be restored any more. */
const cleanUpDeleted = (tx: Tx, { app, now }: AppContext, items: readonly Pick<BinItem, 'kind' | 'row_key'>[]) =>
  cleanUpWebhooks(
    tx,
    app.id,
    items.flatMap(({ kind, row_key: id }) => (kind === 'webhook' && id !== null ? [{ id }] : [])),
    now,
  )

/** Empties the bin of an app, in batches, except for what is deleted meanwhile and what only a newer version knows. */
export async function emptyBin(db: Database, context: AppContext): Promise<number> {
  const { app, now } = context
  let total = 0
  let kept = 0
  let isDone = false
  while (!isDone) {
    throwIfAborted()
    const part = await db.write(async (tx) => {
      await lockBin(tx, context)
      const page = { appId: app.id, now, offset: kept, limit: rowsPerTransaction }
      const oldest = await lockOldestItems(tx.db, page)
      const items = oldest.filter(({ kind }) => isBinKind(kind))
      await deleteItems(
        tx.db,
        app.id,
        items.map(({ id }) => id),
      )
      await cleanUpDeleted(tx, context, items)
      const count = items.length
      const target = count === 1 ? '1 item' : `${count} items`
      if (count > 0) await recordAudit(tx, context, { act: 'bin.delete', target })
      return { seen: oldest.length, deleted: count }
    })
    total += part.deleted
    kept += part.seen - part.deleted
    isDone = part.seen === 0
  }
  return total
}
