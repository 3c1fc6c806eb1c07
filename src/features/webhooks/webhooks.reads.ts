import { type Selectable, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { likePattern } from '#database/search-source.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.table.ts'

export type Webhook = Selectable<WebhooksTable>

export type WebhookDelivery = Selectable<WebhookDeliveriesTable>

export interface WebhookFilter {
  appId: string
  search?: string | undefined
}

function filterWebhooks(db: Reader, { appId, search }: WebhookFilter) {
  const query = db.selectFrom('webhooks').where('app_id', '=', appId)
  const text = search?.trim() ?? ''
  if (text === '') return query
  return query.where(
    sql<boolean>`lower(id || ' ' || name || ' ' || url || ' ' || user_agent) like lower(${likePattern(text)}) escape '\\'`,
  )
}

export async function countWebhooks(db: Reader, filter: WebhookFilter): Promise<number> {
  const { n } = await filterWebhooks(db, filter)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Newest first. */
export const listWebhooks = (
  db: Reader,
  filter: WebhookFilter & { offset: number; limit: number },
): Promise<Webhook[]> =>
  filterWebhooks(db, filter)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

/** All webhooks of an app, which are few. */
export const listWebhooksOfApp = (db: Reader, appId: string): Promise<Webhook[]> =>
  db.selectFrom('webhooks').selectAll().where('app_id', '=', appId).orderBy('id').execute()

export const findWebhook = (db: Reader, appId: string, id: string): Promise<Webhook | undefined> =>
  db.selectFrom('webhooks').selectAll().where('app_id', '=', appId).where('id', '=', id).executeTakeFirst()

/** Events announced on the app's chat link. */
export async function findChatEvents(db: Reader, appId: string): Promise<string[]> {
  const row = await db.selectFrom('chat_notifications').select('events').where('app_id', '=', appId).executeTakeFirst()
  return row ? (JSON.parse(row.events) as string[]) : []
}

export const findDelivery = (db: Reader, appId: string, id: number): Promise<WebhookDelivery | undefined> =>
  db.selectFrom('webhook_deliveries').selectAll().where('app_id', '=', appId).where('id', '=', id).executeTakeFirst()

const deliveriesOf = (db: Reader, appId: string, webhookId: string) =>
  db.selectFrom('webhook_deliveries').where('app_id', '=', appId).where('webhook_id', '=', webhookId)

export async function countDeliveries(db: Reader, appId: string, webhookId: string): Promise<number> {
  const { n } = await deliveriesOf(db, appId, webhookId)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Newest first. */
export const listDeliveries = (
  db: Reader,
  { appId, webhookId, offset, limit }: { appId: string; webhookId: string; offset: number; limit: number },
): Promise<WebhookDelivery[]> =>
  deliveriesOf(db, appId, webhookId).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
