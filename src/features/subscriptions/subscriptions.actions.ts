import { reject } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { revokeLevel } from '#features/entitlements/entitlements.actions.ts'
import { countEntitledUsers, isLevelUsed, listUserIdsOfLevel } from '#features/entitlements/entitlements.reads.ts'
import { deleteLevel, getLevel, lockLevel } from '#features/levels/levels.actions.ts'
import { deleteLicensesOfLevel } from '#features/licenses/licenses.actions.ts'
import { listLicenseIdsOfLevel } from '#features/licenses/license-batches.reads.ts'
import { countLicensesOfLevel, hasLicenseOfLevel } from '#features/licenses/licenses.reads.ts'
import { lockUsersById } from '#features/users/users.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { putLevelInBin, putLostInBin } from './deleted-subscriptions.actions.ts'
import { subscriptionsErrors } from './subscriptions.errors.ts'

const rowsPerTransaction = 500

export interface Deleted {
  licenses: number
  users: number
}

interface Deletion {
  context: AppContext
  level: number
  force: boolean
  /** Restores what this deletion deletes. */
  operation: string
  /** IDs in the bin of what users lost. */
  parts: number[]
}

/** Records an audit event for each transaction that changed something. */
const recordDeletion = (tx: Tx, { context, level, force, operation }: Deletion, deleted: Deleted): Promise<void> => {
  const details = { force, ...deleted }
  return recordAudit(tx, context, {
    act: 'subscription.delete',
    target: String(level),
    details,
    operations: [operation],
  })
}

/**
 * Deletes a level. Without `force`, only if nothing uses it. With `force`, also deletes its licenses and removes it
 * from its users, in small transactions so that calls from programs can run in between. After a crash, calling again
 * completes the deletion. Everything lies in the bin, the level last. Programs are then checked against their user's
 * other entitlements.
 */
export async function deleteSubscription(
  db: Database,
  context: AppContext,
  { level, force }: { level: number; force: boolean },
): Promise<Deleted & { undoId: string }> {
  const operation = newDeletion()
  const deletion: Deletion = { context, level, force, operation, parts: [] }
  const { id: appId } = context.app
  const { name } = await getLevel(db.read, appId, level)
  const done: Deleted = { licenses: 0, users: 0 }
  for (;;) {
    if (force) {
      // Users first: deleting a banned license first would lift the ban of its subscription.
      done.users += await takeFromUsers(db, deletion, name)
      done.licenses += await deleteLicenses(db, deletion)
    } else {
      await rejectWhileInUse(db, deletion)
    }
    // The level may have been assigned meanwhile: then empty it, or reject, again.
    if (await deleteIfUnused(db, { ...deletion, done })) return { ...done, undoId: operation }
  }
}

async function rejectWhileInUse(db: Database, { context: { app, now }, level }: Deletion): Promise<void> {
  const licenses = await countLicensesOfLevel(db, app.id, level, now)
  const users = await countEntitledUsers(db.reports, app.id, level)
  if (licenses === 0 && users === 0) return
  reject(subscriptionsErrors, 'SUBSCRIPTION_IN_USE', { values: { licenses, users }, details: { licenses, users } })
}

async function takeFromUsers(db: Database, deletion: Deletion, name: string): Promise<number> {
  let total = 0
  for (let found = rowsPerTransaction; found === rowsPerTransaction;) {
    throwIfAborted()
    const some = await takeFromSome(db, deletion, name)
    found = some.found
    total += some.taken
  }
  return total
}

async function takeFromSome(db: Database, deletion: Deletion, name: string): Promise<{ found: number; taken: number }> {
  const { context, level, operation, parts } = deletion
  const { id: appId } = context.app
  const { found, taken, part } = await db.write(async (tx) => {
    const userIds = await listUserIdsOfLevel(tx.db, { appId, level, limit: rowsPerTransaction })
    const found = userIds.length
    // Before their entitlements, as in actions on users, and so that no pause starts or ends meanwhile.
    const users = await lockUsersById(tx, appId, userIds)
    const entitlements = await revokeLevel(tx, { appId, level, userIds })
    const taken = entitlements.length
    if (taken === 0) return { found, taken, part: undefined }
    const part = await putLostInBin(tx, context, { name, entitlements, users, operation })
    await recordDeletion(tx, deletion, { licenses: 0, users: taken })
    return { found, taken, part }
  })
  if (part !== undefined) parts.push(part)
  return { found, taken }
}

async function deleteLicenses(db: Database, deletion: Deletion): Promise<number> {
  const { level, context, operation } = deletion
  const { app, now } = context
  const { id: appId } = app
  let total = 0
  for (let afterId = 0; ;) {
    const ids = await listLicenseIdsOfLevel(db, { appId, level, afterId, limit: rowsPerTransaction, now })
    if (ids.length === 0) return total
    afterId = ids.at(-1) as number
    throwIfAborted()
    total += await db.write(async (tx) => {
      const licenses = await deleteLicensesOfLevel(tx, context, { ids, level, operation })
      if (licenses > 0) await recordDeletion(tx, deletion, { licenses, users: 0 })
      return licenses
    })
  }
}

/** Returns false if a user or a license has the level. */
function deleteIfUnused(db: Database, deletion: Deletion & { done: Deleted }): Promise<boolean> {
  const { level, context, operation, parts, done } = deletion
  const { id: appId } = context.app
  return db.write(async (tx) => {
    const row = await lockLevel(tx, appId, level)
    if (await isLevelUsed(tx.db, appId, level)) return false
    if (await hasLicenseOfLevel(tx.db, appId, level)) return false
    await putLevelInBin(tx, context, { level: row, users: done.users, parts, operation })
    await deleteLevel(tx, appId, level)
    await recordDeletion(tx, deletion, { licenses: 0, users: 0 })
    return true
  })
}
