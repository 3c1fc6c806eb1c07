import { removeErasedAccount } from '#features/accounts/accounts.actions.ts'
import { listErased } from '#features/accounts/accounts.reads.ts'
import { deleteAppsOfOwner } from '#features/apps/apps.actions.ts'
import { purgeDeletedApps } from '#features/apps/apps.purge.ts'
import { hasAppsLeft } from '#features/apps/apps.reads.ts'
import { epochSeconds, type Services } from '#server/services.ts'

/** Empties the apps of deleted accounts and then removes the accounts' rows. Safe to call at any time. */
export async function removeErasedAccounts(services: Services): Promise<void> {
  const { db, log } = services
  try {
    const ids = await listErased(db.read)
    if (ids.length === 0) return
    // An app may have been created in the very moment its owner went.
    const now = epochSeconds(services)
    for (const id of ids) await db.write((tx) => deleteAppsOfOwner(tx, id, now))
    await purgeDeletedApps(services)
    for (const id of ids) {
      await db.write(async (tx) => {
        // With an app left the row would take all of it along in one go.
        if (!(await hasAppsLeft(tx.db, id))) await removeErasedAccount(tx, id)
      })
    }
  } catch (error) {
    log.error({ err: error }, 'could not remove a deleted account')
  }
}
