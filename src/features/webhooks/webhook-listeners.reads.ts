import { countAll } from '#database/count-all.ts'
import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { WebhookListenerEventsTable, WebhookListenersTable } from './webhook-listeners.table.ts'

export type WebhookListener = Selectable<WebhookListenersTable>

export type ListenerEvent = Pick<Selectable<WebhookListenerEventsTable>, 'number' | 'message_id' | 'body'>

export interface ListenerKey {
  appId: string
  id: string
}

/** A listener of a seller key; those of other keys are not found. */
export const findListener = (
  db: Reader,
  { appId, id, sellerKeyId }: ListenerKey & { sellerKeyId: string },
): Promise<WebhookListener | undefined> =>
  db
    .selectFrom('webhook_listeners')
    .selectAll()
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .where('seller_key_id', '=', sellerKeyId)
    .executeTakeFirst()

export const countListeners = (db: Reader, appId: string): Promise<number> =>
  countAll(db.selectFrom('webhook_listeners').where('app_id', '=', appId))

/** Listeners that nobody has followed since `before` (epoch seconds), of one app or of all. */
export const listUnfollowed = (
  db: Reader,
  { before, appId, limit }: { before: number; appId?: string; limit: number },
): Promise<Pick<WebhookListener, 'app_id' | 'id'>[]> =>
  db
    .selectFrom('webhook_listeners')
    .select(['app_id', 'id'])
    .$if(appId !== undefined, (query) => query.where('app_id', '=', appId as string))
    .where('followed_at', '<', before)
    .orderBy('followed_at')
    .limit(limit)
    .execute()

/** Oldest first. */
export const listListenerEvents = (
  db: Reader,
  { appId, id, after, limit }: ListenerKey & { after: number; limit: number },
): Promise<ListenerEvent[]> =>
  db
    .selectFrom('webhook_listener_events')
    .select(['number', 'message_id', 'body'])
    .where('app_id', '=', appId)
    .where('listener_id', '=', id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
