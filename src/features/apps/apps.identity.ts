import type { Actor, AppScope } from '#server/actors.ts'
import type { Services } from '#server/services.ts'
import { findOwnApp, findOwnAppByName } from './apps.reads.ts'

/** The caller's own app; a foreign one is as missing as one that never was (R-TEN-02). */
export async function appOfActor(
  { db }: Services,
  actor: Actor,
  wanted: { id?: string; name?: string },
): Promise<AppScope | null> {
  const ownerId = 'ownerId' in actor ? actor.ownerId : 'id' in actor ? actor.id : undefined
  if (ownerId === undefined) return null
  const app =
    wanted.id !== undefined
      ? await findOwnApp(db.read, ownerId, wanted.id)
      : await findOwnAppByName(db.read, ownerId, wanted.name ?? '')
  return app ? { id: app.id, ownerId: app.owner_id, name: app.name } : null
}
