import { type Insertable, sql } from 'kysely'
import type { Transaction } from '#database/database.ts'
import type { ListenerKey } from './webhook-listeners.reads.ts'
import { maxQueuedBytes, maxQueuedEvents } from './webhook-listeners.rules.ts'
import type { WebhookListenersTable } from './webhook-listeners.table.ts'

export interface QueuedMessage {
  messageId: string
  body: string
}

export async function insertListener(trx: Transaction, values: Insertable<WebhookListenersTable>): Promise<void> {
  await trx.insertInto('webhook_listeners').values(values).execute()
}

/** Extends the life of a listener; false if it is gone. */
export async function updateFollowed(trx: Transaction, { appId, id }: ListenerKey, now: number): Promise<boolean> {
  const updated = await trx
    .updateTable('webhook_listeners')
    .set({ followed_at: now })
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(updated.numUpdatedRows) === 1
}

/** Deletes a listener with its events, unless it was followed after `before` (epoch seconds); false if it is kept. */
export async function deleteListenerRows(
  trx: Transaction,
  { appId, id }: ListenerKey,
  before = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('webhook_listeners')
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .where('followed_at', '<', before)
    .executeTakeFirstOrThrow()
  if (Number(deleted.numDeletedRows) === 0) return false
  await trx.deleteFrom('webhook_listener_events').where('app_id', '=', appId).where('listener_id', '=', id).execute()
  return true
}

/**
 * Adds messages to the queue of a listener and deletes the oldest beyond its limits; false if it is gone. The row stays
 * locked until the commit, so that events are numbered in the order in which readers can see them.
 */
export async function insertListenerEvents(
  trx: Transaction,
  { appId, id }: ListenerKey,
  messages: readonly QueuedMessage[],
): Promise<boolean> {
  const sizes = messages.map(({ body }) => Buffer.byteLength(body))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const row = await trx
    .updateTable('webhook_listeners')
    .set({
      last_number: sql<number>`last_number + ${messages.length}`,
      total_bytes: sql<number>`total_bytes + ${bytes}`,
    })
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .returning(['last_number', 'total_bytes'])
    .executeTakeFirst()
  if (!row) return false
  const [last, total] = [Number(row.last_number), Number(row.total_bytes)]
  let before = total - bytes
  for (const [index, { messageId, body }] of messages.entries()) {
    await trx
      .insertInto('webhook_listener_events')
      .values({
        app_id: appId,
        listener_id: id,
        number: last - messages.length + index + 1,
        message_id: messageId,
        body,
        bytes_before: before,
      })
      .execute()
    before += sizes[index] ?? 0
  }
  await trx
    .deleteFrom('webhook_listener_events')
    .where('app_id', '=', appId)
    .where('listener_id', '=', id)
    .where((is) => is.or([is('number', '<=', last - maxQueuedEvents), is('bytes_before', '<', total - maxQueuedBytes)]))
    .execute()
  return true
}
