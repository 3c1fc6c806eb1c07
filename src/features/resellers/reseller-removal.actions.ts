import { reject } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { listOwnAppIds } from '#features/apps/apps.reads.ts'
import { closeCredits } from '#features/credits/credits.actions.ts'
import { creditsErrors } from '#features/credits/credits.errors.ts'
import { deleteLicensesByUse } from '#features/licenses/bulk-licenses.actions.ts'
import { countOfReseller, type ResellerScope } from '#features/licenses/licenses.reads.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { type AccountContext, type AppContext, recordAudit } from '#server/audit/audit.ts'
import { type AssignedApp, banReseller, inApp, lockReseller } from './resellers.actions.ts'
import { findAssignment, listAssignments, listOrphans, type Reseller } from './resellers.reads.ts'
import { deleteAssignment, deleteResellerRows, lockResellerRow } from './resellers.writes.ts'

/** Removing apps from resellers, and resellers: what they sold goes in batches, after nothing more can be sold. */

export interface DeletedData {
  deletedLicenses: number
  deletedUsers: number
}

const nothingDeleted: DeletedData = { deletedLicenses: 0, deletedUsers: 0 }

interface Removal {
  reseller: Reseller
  scope: ResellerScope
  withData: boolean
}

/** Removes an app from a locked reseller and returns the remaining credits to their source. */
async function removeApp(tx: Tx, context: AppContext, { reseller, scope, withData }: Removal): Promise<void> {
  await deleteAssignment(tx.db, scope)
  const left = await closeCredits(tx, { ...scope, now: context.now })
  const details = { left, withData }
  await recordAudit(tx, context, { act: 'reseller.remove-app', target: reseller.username, details })
}

/** Removes all apps from a locked reseller. */
async function removeApps(
  tx: Tx,
  context: AccountContext,
  { reseller, withData }: Omit<Removal, 'scope'>,
): Promise<void> {
  const { id, owner_id: ownerId } = reseller
  const assigned = await listAssignments(tx.db, [id])
  for (const { appId, appName } of assigned.toSorted((one, other) => (one.appId < other.appId ? -1 : 1))) {
    const of = { ...context, app: { id: appId, ownerId, name: appName } }
    await removeApp(tx, of, { reseller, scope: { appId, resellerId: id }, withData })
  }
}

/**
 * Removes an app from a reseller. `withData` also deletes the reseller's licenses and their users, in batches so that
 * calls from programs can run in between. Calling again completes an aborted run.
 */
export async function unassignApp(
  db: Database,
  context: AccountContext,
  { id, appName, withData }: AssignedApp & { withData: boolean },
): Promise<DeletedData> {
  const of = await db.write(async (tx) => {
    const reseller = await lockReseller(tx, context.actor.id, id)
    const of = await inApp(tx.db, context, appName)
    const scope = { appId: of.app.id, resellerId: id }
    if (await findAssignment(tx.db, scope)) await removeApp(tx, of, { reseller, scope, withData })
    else if (!withData || (await countOfReseller(tx.db, scope)).licenses === 0) reject(creditsErrors, 'CREDITS_CLOSED')
    return of
  })
  return withData ? deleteDataOf(db, of, id) : nothingDeleted
}

async function deleteDataOf(db: Database, context: AppContext, resellerId: string): Promise<DeletedData> {
  const choice = { used: undefined, resellerId, withUsers: true, refund: false }
  const { deleted, deletedUsers } = await deleteLicensesByUse(db, context, choice)
  return { deletedLicenses: deleted, deletedUsers }
}

/**
 * Deletes a reseller, who is banned and loses the apps first; `withData` also deletes its licenses and their users.
 * Calling again completes an aborted run.
 */
export async function deleteReseller(
  db: Database,
  context: AccountContext,
  { id, withData }: { id: string; withData: boolean },
): Promise<DeletedData> {
  const { id: ownerId } = context.actor
  const reseller = await db.write(async (tx) => {
    const locked = await lockReseller(tx, ownerId, id)
    if (locked.banned === 0) await banReseller(tx, context, { id, banned: true })
    await removeApps(tx, context, { reseller: locked, withData })
    return locked
  })
  const total = { ...nothingDeleted }
  if (withData) {
    for (const appId of await listOwnAppIds(db.read, ownerId)) {
      const app: AppScope = { id: appId, ownerId, name: '' }
      const { deletedLicenses, deletedUsers } = await deleteDataOf(db, { ...context, app }, id)
      total.deletedLicenses += deletedLicenses
      total.deletedUsers += deletedUsers
    }
  }
  await db.write(async (tx) => {
    // A simultaneous call may have deleted it.
    if (!(await lockResellerRow(tx.db, id))) return
    // Those that were assigned meanwhile.
    await removeApps(tx, context, { reseller, withData })
    await deleteResellerRows(tx.db, [id])
    const details = { withData, ...total }
    await recordAudit(tx, context, { act: 'reseller.delete', target: reseller.username, details })
  })
  return total
}

const resellersPerTransaction = 200

/** Removes the resellers of deleted owners. */
export async function cleanUpResellers(db: Database): Promise<void> {
  for (;;) {
    const ids = await listOrphans(db.reports, resellersPerTransaction)
    if (ids.length === 0) return
    await db.write((tx) => deleteResellerRows(tx.db, ids))
  }
}
