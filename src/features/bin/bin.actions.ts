import { type BinKind, isBinKind, isStoredBinKind, lostSubscriptions } from '#contract/bin.ts'
import { type CallError, reject } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { lockAccount } from '#features/accounts/accounts.actions.ts'
import type { DeletedSubscription } from '#features/subscriptions/deleted-subscriptions.actions.ts'
import { cleanUpWebhooks } from '#features/webhooks/deleted-webhooks.actions.ts'
import { type AppContext, countedTarget, recordAudit } from '#server/audit/audit.ts'
import { lockItemsOfRows } from '#server/bin/bin-contents.ts'
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
  kind: BinKind
  code: string
  values?: CallError['values']
  message: string
}

export interface RestoreReport {
  restored: number
  failed: number
  next: number | null
  /** Of restored levels whose users and licenses are still in the bin. */
  undoIds: string[]
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
      const items = await lockListed(tx, context, some)
      const restored = { ...(await restoreLocked(tx, context, items)), missing: some.length - items.length }
      // Thrown here, so that a rejected call changes nothing.
      if (distinct.length === 1) rejectSingle(restored)
      return { ...restored, undoIds: await leftInBin(tx, context, restored) }
    })
    addPart(report, part)
    report.undoIds.push(...part.undoIds)
  }
  return report
}

/** The deletions of which a level was restored, and something else not yet. */
async function leftInBin(tx: Tx, { app, now }: AppContext, { items, problems }: Restored): Promise<string[]> {
  const left = []
  for (const { id, kind, operation_id: operation } of items) {
    if (kind !== 'subscription' || problems.has(id)) continue
    const page = { appId: app.id, now, operation, before: Number.MAX_SAFE_INTEGER, limit: 1 }
    if ((await lockItemsOfDeletion(tx.db, page)).length > 0) left.push(operation)
  }
  return left
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
      const restored = { ...(await restoreLocked(tx, context, items)), missing: 0 }
      rejectWithoutLevel(restored)
      return restored
    })
    addPart(report, part)
    seen += part.items.reduce((sum, { kind }) => sum + (kind === lostSubscriptions ? rowsPerTransaction : 1), 0)
    const last = part.items.at(-1)
    if (!last) {
      if (seen === 0 && after === undefined) reject(binErrors, 'UNDO_NOT_FOUND')
      return report
    }
    before = Number(last.id)
  }
  return { ...report, next: before }
}

/** The first item of a level's deletion is the level: without it, nothing that belonged to it is restored. */
function rejectWithoutLevel({ items, problems }: Restored): void {
  for (const { id, kind } of items) {
    const problem = problems.get(id)
    if (kind === 'subscription' && problem) throw problem
  }
}

/**
 * Before items are locked: the deletion of a file locks the account and then the oldest items, of all apps, that it
 * deletes for good.
 */
const lockBin = (tx: Tx, { app }: AppContext): Promise<unknown> => lockAccount(tx, app.ownerId)

/** What users lost with a subscription is restored and deleted only with it: named alone, it looks like a missing item. */
const lockListed = async (tx: Tx, { app, now }: AppContext, ids: readonly number[]): Promise<BinItem[]> =>
  (await lockItems(tx.db, { appId: app.id, now, ids })).filter(({ kind }) => kind !== lostSubscriptions)

const newReport = (): RestoreReport => ({ restored: 0, failed: 0, next: null, undoIds: [], failures: [] })

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
  if (!items.every(({ kind }) => isStoredBinKind(kind))) reject(binErrors, 'BIN_ITEM_UNSUPPORTED')
}

/** The hidden items of a subscription have its name, which is listed once. */
function targetOf(items: readonly BinItem[]) {
  const listed = items.filter(({ kind }) => isBinKind(kind)).map(({ name }) => name)
  return { noun: 'items', names: listed.length > 0 ? listed : [...new Set(items.map(({ name }) => name))] }
}

function addPart(report: RestoreReport, { items, missing, problems }: Restored): void {
  report.restored += items.filter(({ id, kind }) => isBinKind(kind) && !problems.has(id)).length
  report.failed += problems.size + missing
  for (const { id, name, kind } of items) {
    const problem = problems.get(id)
    if (!problem || report.failures.length >= maxListed) continue
    const { code, values, message } = problem
    report.failures.push({
      name,
      kind: isBinKind(kind) ? kind : 'subscription',
      code,
      message,
      ...(values && { values }),
    })
  }
}

/** Deletes items for good; those that are gone are skipped. */
export async function deleteForGood(tx: Tx, context: AppContext, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) reject(binErrors, 'NO_BIN_ITEMS_SELECTED')
  const { app } = context
  await lockBin(tx, context)
  const items = await lockListed(tx, context, ids)
  if (items.length === 0) reject(binErrors, 'BIN_ITEM_NOT_FOUND')
  rejectUnsupported(items)
  const lost = await lockLostWith(tx, app.id, items)
  await deleteItems(
    tx.db,
    app.id,
    [...items, ...lost].map(({ id }) => id),
  )
  await cleanUpDeleted(tx, context, items)
  await recordAudit(tx, context, { act: 'bin.delete', target: targetOf(items) })
  return items.length
}

/** What users lost with these subscriptions. */
async function lockLostWith(tx: Tx, appId: string, items: readonly BinItem[]): Promise<BinItem[]> {
  const levels = items.filter(({ kind }) => kind === 'subscription')
  const rowIds = levels.flatMap(({ content }) => (JSON.parse(content) as DeletedSubscription).parts)
  return rowIds.length === 0 ? [] : lockItemsOfRows(tx.db, { appId, kind: lostSubscriptions, rowIds })
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
      const items = oldest.filter(({ kind }) => isStoredBinKind(kind))
      await deleteItems(
        tx.db,
        app.id,
        items.map(({ id }) => id),
      )
      await cleanUpDeleted(tx, context, items)
      const count = items.filter(({ kind }) => isBinKind(kind)).length
      if (count > 0) await recordAudit(tx, context, { act: 'bin.delete', target: countedTarget(count, 'items') })
      return { seen: oldest.length, deleted: items.length, count }
    })
    total += part.count
    kept += part.seen - part.deleted
    isDone = part.seen === 0
  }
  return total
}
