import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import { type ListOf, valuesOf } from '#contract/list-field.ts'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import { containsText } from '#database/search-source.ts'
import { exactOrder, sortOrder, textOrder } from '#database/sort-order.ts'
import { type WebhookEvent, type WebhookStatus, webhookStatus } from './webhooks.rules.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.table.ts'

export type Webhook = Selectable<WebhooksTable>

export type WebhookDelivery = Selectable<WebhookDeliveriesTable>

/** Its row in `platform_settings`, which no administrator sees. */
export const expiryLookName = 'user expiry'

export interface WebhookFilter {
  appId: string
  search?: string | undefined
  status?: ListOf<WebhookStatus> | undefined
}

const isOfStatus = {
  working: sql<boolean>`(stopped_at is null and failing_since is null)`,
  failing: sql<boolean>`(stopped_at is null and failing_since is not null)`,
  stopped: sql<boolean>`stopped_at is not null`,
}

function filterWebhooks(db: Reader, { appId, search, status }: WebhookFilter) {
  const statuses = valuesOf(status)
  const all = db.selectFrom('webhooks').where('app_id', '=', appId)
  const query = statuses.length === 0 ? all : all.where((where) => where.or(statuses.map((each) => isOfStatus[each])))
  const text = search?.trim() ?? ''
  if (text === '') return query
  return query.where(containsText(sql`id || ' ' || name || ' ' || url || ' ' || user_agent`, text))
}

export const countWebhooks = (db: Reader, filter: WebhookFilter): Promise<number> =>
  countAll(filterWebhooks(db, filter))

const sortColumns = (db: Reader) => ({
  id: exactOrder(db, sql`id`),
  name: textOrder(db, sql`name`),
  url: textOrder(db, sql`url`),
  'user-agent': textOrder(db, sql`user_agent`),
  authenticated: 'authenticated',
  created: 'created_at',
})

type WebhookSort = SortBy<keyof ReturnType<typeof sortColumns>>

/** Newest first by default. */
export const listWebhooks = (
  db: Reader,
  {
    offset,
    limit,
    sort = '-created',
    ...filter
  }: WebhookFilter & {
    offset: number
    limit: number
    sort?: WebhookSort | undefined
  },
): Promise<Webhook[]> =>
  filterWebhooks(db, filter)
    .selectAll()
    .orderBy(...sortOrder(sortColumns(db), sort))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countByStatus(db: Reader, appId: string): Promise<Record<WebhookStatus | 'total', number>> {
  const rows = await listWebhooksOfApp(db, appId)
  const counts = { total: rows.length, working: 0, failing: 0, stopped: 0 }
  for (const row of rows) counts[webhookStatus({ stoppedAt: row.stopped_at, failingSince: row.failing_since })] += 1
  return counts
}

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

/** The listeners of an app and, without ID, its chat: one statement, because every app's events need it. */
export const listOtherReceivers = (db: Reader, appId: string): Promise<{ id: string; events: string }[]> =>
  db
    .selectFrom('chat_notifications')
    .select([sql<string>`''`.as('id'), 'events'])
    .where('app_id', '=', appId)
    .unionAll(db.selectFrom('webhook_listeners').select(['id', 'events']).where('app_id', '=', appId))
    .execute()

/** Apps after an ID whose webhooks, chat, or listeners get an event, unless the owner is banned; by ID, for `reports`. */
export async function listSubscribedApps(
  db: Reader,
  { event, after, limit }: { event: WebhookEvent; after: string; limit: number },
): Promise<{ id: string; ownerId: string }[]> {
  const selected = `%"${event}"%`
  const withWebhook = db
    .selectFrom('webhooks')
    .select('app_id')
    .where('stopped_at', 'is', null)
    .where('events', 'like', selected)
  const withChat = db.selectFrom('chat_notifications').select('app_id').where('events', 'like', selected)
  const withListener = db.selectFrom('webhook_listeners').select('app_id').where('events', 'like', selected)
  return db
    .selectFrom('apps as app')
    .innerJoin('accounts as owner', 'owner.id', 'app.owner_id')
    .select(['app.id', 'app.owner_id as ownerId'])
    .where('app.id', '>', after)
    .where('app.deleted_at', 'is', null)
    .where('owner.banned', '=', 0)
    .where((is) => is.or([withWebhook, withChat, withListener].map((some) => is('app.id', 'in', some))))
    .orderBy('app.id')
    .limit(limit)
    .execute()
}

/** How far the ends of users' time were announced, as stored; empty before the first look. */
export async function findExpiryLook(db: Reader): Promise<string> {
  const row = await db
    .selectFrom('platform_settings')
    .select('value')
    .where('name', '=', expiryLookName)
    .executeTakeFirst()
  return row?.value ?? ''
}

/** ID of the newest delivery of a webhook. */
export async function findLastDelivery(db: Reader, appId: string, webhookId: string): Promise<number | undefined> {
  const last = await deliveriesOf(db, appId, webhookId).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return last && Number(last.id)
}

/** Deliveries of a webhook in order, after an ID, up to another one. */
export const listDeliveryStates = (
  db: Reader,
  {
    appId,
    webhookId,
    after,
    upTo,
    limit,
  }: Record<'after' | 'upTo' | 'limit', number> & Record<'appId' | 'webhookId', string>,
) =>
  deliveriesOf(db, appId, webhookId)
    .select(['id', 'state'])
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * Whether there is such a webhook, or it can still be restored: in one statement, because between two of them it may be
 * deleted or restored.
 */
export async function isWebhookKept(db: Reader, appId: string, id: string): Promise<boolean> {
  const inBin = db
    .selectFrom('bin_items')
    .select('app_id')
    .where('row_key', '=', id)
    .where('app_id', '=', appId)
    .where('kind', '=', 'webhook')
  const webhook = db.selectFrom('webhooks').select('app_id').where('app_id', '=', appId).where('id', '=', id)
  return (await webhook.unionAll(inBin).execute()).length > 0
}

export const findDelivery = (db: Reader, appId: string, id: number): Promise<WebhookDelivery | undefined> =>
  db.selectFrom('webhook_deliveries').selectAll().where('app_id', '=', appId).where('id', '=', id).executeTakeFirst()

const deliveriesOf = (db: Reader, appId: string, webhookId: string) =>
  db.selectFrom('webhook_deliveries').where('app_id', '=', appId).where('webhook_id', '=', webhookId)

export const countDeliveries = (db: Reader, appId: string, webhookId: string): Promise<number> =>
  countAll(deliveriesOf(db, appId, webhookId))

/** Newest first. */
export const listDeliveries = (
  db: Reader,
  { appId, webhookId, offset, limit }: { appId: string; webhookId: string; offset: number; limit: number },
): Promise<WebhookDelivery[]> =>
  deliveriesOf(db, appId, webhookId).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
