import { type CallError, callError } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import { withoutPlanFeature } from '#features/plans/plans.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { type DeletedRow, newRowNumber, putInBin } from '#server/bin/bin-items.ts'
import { enqueueJobs } from '#server/jobs/jobs.ts'
import { cleanUpKind, type CleanUpPayload } from './webhook-deliveries.ts'
import { countWebhooks, findLastDelivery, type Webhook } from './webhooks.reads.ts'
import { webhooksErrors } from './webhooks.errors.ts'
import { maxWebhooks, webhookTitle } from './webhooks.rules.ts'
import { deleteWebhookRow, insertWebhook } from './webhooks.writes.ts'

/** A webhook in the bin, with its sealed secrets. Its log stays; what waited for it is not delivered any more. */
export type DeletedWebhook = Omit<Webhook, 'app_id'>

/** Puts locked webhooks into the bin and deletes their rows. */
export async function putWebhooksInBin(
  tx: Tx,
  context: AppContext,
  webhooks: readonly Webhook[],
  operation: string,
): Promise<void> {
  const { app, now } = context
  const rows: DeletedRow<DeletedWebhook>[] = []
  for (const { app_id: _app, ...webhook } of webhooks) {
    const last = await findLastDelivery(tx.db, app.id, webhook.id)
    const content = { ...webhook, deliver_after: last ?? webhook.deliver_after }
    rows.push({ id: newRowNumber(), key: webhook.id, name: webhookTitle(webhook), content })
  }
  await putInBin(tx, context, { kind: 'webhook', operation, rows })
  for (const { id } of webhooks) await deleteWebhookRow(tx.db, app.id, id)
  await cleanUpWebhooks(
    tx,
    app.id,
    rows.map(({ content }) => ({ id: content.id, upTo: content.deliver_after ?? 0 })),
    now,
  )
}

/**
 * Clears the outboxes of deleted webhooks, which may be large, up to their last delivery then, and the logs of those
 * that are not in the bin either.
 */
export const cleanUpWebhooks = (
  tx: Tx,
  appId: string,
  webhooks: readonly { id: string; upTo?: number }[],
  now: number,
): Promise<void> =>
  enqueueJobs(
    tx,
    webhooks.map(({ id: webhookId, upTo }) => {
      const payload: CleanUpPayload = { appId, webhookId, ...(upTo !== undefined && { upTo }) }
      return { kind: cleanUpKind, lane: webhookId, payload, dueAt: now }
    }),
    now,
  )

/** Restores deleted webhooks with their IDs and secrets, as far as the app has room; returns the reasons for the others. */
export async function restoreWebhooks(
  tx: Tx,
  { app, now }: AppContext,
  deleted: readonly DeletedRow<DeletedWebhook>[],
): Promise<Map<number, CallError>> {
  const problems = await withoutPlanFeature(tx.db, { ownerId: app.ownerId, feature: 'webhooks', now }, deleted)
  if (problems.size > 0) return problems
  await lockApp(tx, app.id)
  let count = await countWebhooks(tx.db, { appId: app.id })
  for (const { id, content } of deleted) {
    if (count >= maxWebhooks) {
      problems.set(id, callError(webhooksErrors, 'WEBHOOK_LIMIT_REACHED', { values: { limit: maxWebhooks } }))
      continue
    }
    // It was not called meanwhile: the five days of failures start anew.
    await insertWebhook(tx.db, { ...content, app_id: app.id, failing_since: null })
    count += 1
  }
  tx.publish(`webhooks:${app.id}`)
  return problems
}
