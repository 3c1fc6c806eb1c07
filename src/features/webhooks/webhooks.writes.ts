import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database, Transaction } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import { expiryLookName } from './webhooks.reads.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.table.ts'

export async function insertWebhook(trx: Transaction, values: Insertable<WebhooksTable>): Promise<void> {
  await trx.insertInto('webhooks').values(values).execute()
}

/** The webhook, locked until the transaction ends. */
export const lockWebhook = (trx: Transaction, appId: string, id: string) =>
  locking(
    trx,
    trx.selectFrom('webhooks').selectAll().where('app_id', '=', appId).where('id', '=', id),
  ).executeTakeFirst()

/** All webhooks of an app, locked until the transaction ends. */
export const lockWebhooksOfApp = (trx: Transaction, appId: string) =>
  locking(trx, trx.selectFrom('webhooks').selectAll().where('app_id', '=', appId).orderBy('id')).execute()

export async function updateWebhookRow(
  trx: Transaction,
  { appId, id }: { appId: string; id: string },
  values: Updateable<WebhooksTable>,
): Promise<void> {
  await trx.updateTable('webhooks').set(values).where('app_id', '=', appId).where('id', '=', id).execute()
}

export async function deleteWebhookRow(trx: Transaction, appId: string, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('app_id', '=', appId).where('id', '=', id).execute()
}

export async function upsertChatEvents(trx: Transaction, appId: string, events: string): Promise<void> {
  await trx
    .insertInto('chat_notifications')
    .values({ app_id: appId, events })
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ events }))
    .execute()
}

/** Replaces what `findExpiryLook` has read; false if another process has replaced it since. */
export async function replaceExpiryLook(
  trx: Transaction,
  { stored, next }: { stored: string; next: string },
): Promise<boolean> {
  if (stored === '') {
    const row = { name: expiryLookName, value: next }
    const added = await trx
      .insertInto('platform_settings')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return Number(added.numInsertedOrUpdatedRows ?? 0) === 1
  }
  const replaced = await trx
    .updateTable('platform_settings')
    .set({ value: next })
    .where('name', '=', expiryLookName)
    .where('value', '=', stored)
    .executeTakeFirstOrThrow()
  return Number(replaced.numUpdatedRows) === 1
}

/** Returns its ID. */
export async function insertDelivery(trx: Transaction, values: Insertable<WebhookDeliveriesTable>): Promise<number> {
  const { id } = await trx.insertInto('webhook_deliveries').values(values).returning('id').executeTakeFirstOrThrow()
  return Number(id)
}

export async function updateDelivery(
  trx: Transaction,
  { appId, id }: { appId: string; id: number },
  values: Updateable<WebhookDeliveriesTable>,
): Promise<void> {
  await trx.updateTable('webhook_deliveries').set(values).where('app_id', '=', appId).where('id', '=', id).execute()
}

/** Ends those of the deliveries that still wait. */
export async function stopDeliveries(trx: Transaction, appId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', next_at: null })
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .where('state', '=', 'waiting')
    .execute()
}

/** Deletes up to `limit` deliveries of a deleted webhook; returns their number. */
export async function deleteDeliveriesOf(
  trx: Transaction,
  { appId, webhookId, limit }: { appId: string; webhookId: string; limit: number },
): Promise<number> {
  const ids = trx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('app_id', '=', appId)
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .limit(limit)
  const deleted = await trx
    .deleteFrom('webhook_deliveries')
    .where('app_id', '=', appId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return Number(deleted.numDeletedRows)
}

/** Deletes deliveries older than `before` (epoch seconds). */
export const deleteOldDeliveries = (db: Pick<Database, 'write'>, before: number): Promise<void> =>
  deleteInBatches(db, 'webhook_deliveries', sql`created_at < ${before} order by created_at`)
