import type { Actor, AppScope } from '#server/audit/actors.ts'
import type { Services } from '#server/services.ts'
import { type App, findOwnApp, findOwnAppByName, findSelectedApp } from './apps.reads.ts'

/** An app of the caller, by default the selected one; apps of other owners are not found. */
export async function appOfActor(
  { db }: Services,
  actor: Actor,
  wanted: { id?: string; name?: string },
): Promise<AppScope | null> {
  if (actor.type === 'reseller') return null
  const ownerId = 'ownerId' in actor ? actor.ownerId : 'id' in actor ? actor.id : undefined
  if (ownerId === undefined) return null
  const { id, name } = wanted
  let app: App | undefined
  if (id !== undefined) app = await findOwnApp(db.read, ownerId, id)
  else if (name !== undefined) app = await findOwnAppByName(db.read, ownerId, name)
  else if ('selectedAppId' in actor) app = await findSelectedApp(db.read, actor)
  return app ? { id: app.id, ownerId: app.owner_id, name: app.name } : null
}
