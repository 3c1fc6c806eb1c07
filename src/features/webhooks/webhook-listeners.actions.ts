import { reject } from '#contract/errors.ts'
import { sellerKeyErrors } from '#contract/common-errors.ts'
import type { Tx } from '#database/database.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import type { SellerKeyActor } from '#server/audit/actors.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { webhookListenersErrors } from './webhook-listeners.errors.ts'
import { countListeners, findListener, type ListenerKey, listUnfollowed } from './webhook-listeners.reads.ts'
import { eventsWithin, listenerPrefix, listenerTopic, maxListeners, missingScope } from './webhook-listeners.rules.ts'
import { deleteListenerRows, insertListener } from './webhook-listeners.writes.ts'
import type { WebhookEvent } from './webhooks.rules.ts'

type ListenerContext = AppContext & { actor: SellerKeyActor }

/** Rejects events that the key may not read. */
export function requireEventScopes(scopes: readonly string[], events: readonly WebhookEvent[]): void {
  const scope = missingScope(scopes, events)
  if (scope !== undefined) reject(sellerKeyErrors, 'SCOPE_MISSING', { values: { scope }, details: { scope } })
}

interface NewListener {
  events?: readonly WebhookEvent[] | undefined
  /** Epoch seconds. */
  unfollowedBefore: number
  /** IDs of listeners that have not ended, whenever they were last followed. */
  followed?: ReadonlySet<string>
}

/** By default, a listener gets all events that its key may read. */
export async function createListener(
  tx: Tx,
  context: ListenerContext,
  { events, unfollowedBefore, followed = new Set() }: NewListener,
): Promise<{ id: string; events: WebhookEvent[] }> {
  const { actor, app, now } = context
  requireEventScopes(actor.scopes, events ?? [])
  const chosen = eventsWithin(actor.scopes).filter((event) => events?.includes(event) ?? true)
  // Listeners created in parallel count each other.
  await lockApp(tx, app.id)
  const ended = await listUnfollowed(tx.db, { before: unfollowedBefore, appId: app.id, limit: maxListeners })
  for (const { id } of ended)
    if (!followed.has(id)) await deleteListenerRows(tx.db, { appId: app.id, id }, unfollowedBefore)
  if ((await countListeners(tx.db, app.id)) >= maxListeners)
    reject(webhookListenersErrors, 'LISTENER_LIMIT_REACHED', { values: { limit: maxListeners } })
  const id = listenerPrefix + randomText(12)
  await insertListener(tx.db, {
    app_id: app.id,
    id,
    seller_key_id: actor.id,
    events: JSON.stringify(chosen),
    followed_at: now,
    created_at: now,
  })
  tx.publish(`webhooks:${app.id}`)
  await recordAudit(tx, context, { act: 'webhook.listen', target: id, details: { events: chosen } })
  return { id, events: chosen }
}

export async function endListener(tx: Tx, context: ListenerContext, id: string): Promise<void> {
  const { actor, app } = context
  const listener = await findListener(tx.db, { appId: app.id, id, sellerKeyId: actor.id })
  // Another call may have ended it in between.
  if (!listener || !(await dropListener(tx, { appId: app.id, id })))
    reject(webhookListenersErrors, 'LISTENER_NOT_FOUND')
  await recordAudit(tx, context, { act: 'webhook.end-listening', target: id })
}

/** Deletes a listener, unless it was followed after `before`; false if it is kept or gone. */
export async function dropListener(tx: Tx, key: ListenerKey, before?: number): Promise<boolean> {
  const isDropped = await deleteListenerRows(tx.db, key, before)
  if (isDropped) for (const topic of [`webhooks:${key.appId}`, `${listenerTopic}:${key.id}`]) tx.publish(topic)
  return isDropped
}
