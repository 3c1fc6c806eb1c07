import type { Reader, Tx } from '#database/database.ts'
import type { Services } from '#server/services.ts'
import { deleteApp } from './apps.actions.ts'
import { purgeDeletedApps } from './apps.purge.ts'
import { countAllApps, listOwnApps } from './apps.queries.ts'

export const appsOfOwner = async (db: Reader, ownerId: string): Promise<string[]> =>
  (await listOwnApps(db, ownerId)).map(({ id }) => id)

/** All apps of an owner are gone at once; `finishDeletedApps` then removes what was in them. */
export async function deleteAppsOfOwner(tx: Tx, ownerId: string, now: number): Promise<number> {
  const apps = await listOwnApps(tx.db, ownerId)
  for (const app of apps) await deleteApp(tx, app, now)
  return apps.length
}

/** Resolves when the rows of deleted apps are gone, or the server stops. */
export const finishDeletedApps = (services: Services): Promise<void> => purgeDeletedApps(services)

/** Whether an owner has apps, counting those that are being removed. */
export const hasAppsLeft = async (db: Reader, ownerId: string): Promise<boolean> =>
  (await countAllApps(db, ownerId)) > 0
