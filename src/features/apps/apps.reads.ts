import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import type { AppReplacedKeysTable, AppSigningKeysTable, AppsTable } from './apps.table.ts'

export type App = Selectable<AppsTable>

export type SigningKey = Selectable<AppSigningKeysTable>

export const appNameKey = (name: string): string => name.trim().toLowerCase()

const ownApps = (db: Reader, ownerId: string) =>
  db
    .selectFrom('apps')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')

/** Leaves out the rows of deleted apps, which are removed little by little. For statements over all apps. */
export const ofExistingApp = sql<boolean>`app_id not in (select id from apps where deleted_at is not null)`

export const listOwnApps = (db: Reader, ownerId: string): Promise<App[]> => ownApps(db, ownerId).execute()

/** The selected app; without a selection the first one, as in the app selector. */
export async function findSelectedApp(
  db: Reader,
  { id, selectedAppId }: { id: string; selectedAppId: string | null },
): Promise<App | undefined> {
  if (selectedAppId !== null) return findOwnApp(db, id, selectedAppId)
  return ownApps(db, id).limit(1).executeTakeFirst()
}

/** The oldest app of all owners, deleted or not. */
export const findOldestApp = (db: Reader): Promise<Pick<App, 'id' | 'root_private_sealed'> | undefined> =>
  db
    .selectFrom('apps')
    .select(['id', 'root_private_sealed'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export const findOwnApp = (db: Reader, ownerId: string, id: string): Promise<App | undefined> =>
  db
    .selectFrom('apps')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const findOwnAppByName = (db: Reader, ownerId: string, name: string): Promise<App | undefined> =>
  db
    .selectFrom('apps')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('name_key', '=', appNameKey(name))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The app and whether its owner is banned, as needed first by a program's call. */
export const findAppOfProgram = (db: Reader, ownerId: string, name: string) =>
  db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.owner_id')
    .selectAll('apps')
    .select('accounts.banned as owner_banned')
    .where('apps.owner_id', '=', ownerId)
    .where('apps.name_key', '=', appNameKey(name))
    .executeTakeFirst()

const ownerPlanOfApp = preparedQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.owner_id')
    .select(['accounts.plan', 'accounts.plan_expires_at'])
    .where('apps.id', '=', id),
)

export async function findAppOwner(db: Reader, id: string): Promise<string | undefined> {
  const app = await db.selectFrom('apps').select('owner_id').where('id', '=', id).executeTakeFirst()
  return app?.owner_id
}

/** Owner IDs by app ID; missing apps have none. */
export async function listAppOwners(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const apps = await db.selectFrom('apps').select(['id', 'owner_id']).where('id', 'in', ids).execute()
  return new Map(apps.map(({ id, owner_id }) => [id, owner_id]))
}

/** An app that has not been deleted, with its owner. */
export const findOwnedApp = (db: Reader, id: string): Promise<Pick<App, 'id' | 'owner_id'> | undefined> =>
  db
    .selectFrom('apps')
    .select(['id', 'owner_id'])
    .where('deleted_at', 'is', null)
    .where('id', '=', id)
    .executeTakeFirst()

/** The chat link of the app; empty if there is no link or no such app. */
export async function findChatLink(db: Reader, id: string): Promise<string> {
  const query = db
    .selectFrom('apps')
    .select('discord_webhook_link')
    .where('deleted_at', 'is', null)
    .where('id', '=', id)
  return (await query.executeTakeFirst())?.discord_webhook_link ?? ''
}

/** The plan of the app's owner and its expiry; it may have expired. */
export async function findOwnerPlan(db: Reader, id: string) {
  return (await ownerPlanOfApp(db, { id }))[0]
}

export const countOwnApps = (db: Reader, ownerId: string): Promise<number> =>
  countAll(db.selectFrom('apps').where('owner_id', '=', ownerId).where('deleted_at', 'is', null))

/** Includes deleted apps that still have rows. */
export const countAllApps = (db: Reader, ownerId: string): Promise<number> =>
  countAll(db.selectFrom('apps').where('owner_id', '=', ownerId))

/** The newest key that is valid at `now` (epoch seconds): a wrong clock may have created later ones. */
export const findValidSigningKey = (db: Reader, appId: string, now: number): Promise<SigningKey | undefined> =>
  db
    .selectFrom('app_signing_keys')
    .selectAll()
    .where('app_id', '=', appId)
    .where('not_before', '<=', now)
    .where('not_after', '>', now)
    .orderBy('serial', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function findHighestSerial(db: Reader, appId: string): Promise<number> {
  const { serial } = await db
    .selectFrom('app_signing_keys')
    .select((select) => select.fn.max('serial').as('serial'))
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow()
  return Number(serial ?? 0)
}

/** The keys that an app had before, the oldest first. */
export const listReplacedKeys = (db: Reader, appId: string): Promise<Selectable<AppReplacedKeysTable>[]> =>
  db.selectFrom('app_replaced_keys').selectAll().where('app_id', '=', appId).orderBy('number').execute()

/** Deleted apps whose rows have not all been removed yet. */
export const listDeletedApps = (db: Reader): Promise<{ id: string }[]> =>
  db.selectFrom('apps').select('id').where('deleted_at', 'is not', null).execute()

export async function isAppNameTaken(db: Reader, app: App, name: string): Promise<boolean> {
  const taken = await findOwnAppByName(db, app.owner_id, name)
  return taken !== undefined && taken.id !== app.id
}

export const listOwnAppIds = async (db: Reader, ownerId: string): Promise<string[]> =>
  (await listOwnApps(db, ownerId)).map(({ id }) => id)

/** Whether an owner has apps, including those being removed. */
export const hasAppsLeft = async (db: Reader, ownerId: string): Promise<boolean> =>
  (await countAllApps(db, ownerId)) > 0

/** Number of apps of all owners created since `since`. */
export const countAppsSince = (db: Reader, since: number): Promise<number> =>
  countAll(db.selectFrom('apps').where('deleted_at', 'is', null).where('created_at', '>=', since))

export const listAppsWithImportedHashes = (db: Reader): Promise<{ id: string }[]> =>
  db.selectFrom('apps').select('id').where('imported_hash_cost', 'is not', null).execute()
