import { CallRefused, refuse } from '#contract/refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { deleteSubscription } from '../subscriptions.actions.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { subscriptionsRefusals } from '../subscriptions.refusals.ts'

type BulkDelete = typeof subscriptionsContract.bulkDeleteSubscriptions

export const bulkDeleteSubscriptions = endpoint(subscriptionsContract.bulkDeleteSubscriptions, {
  writeInBatches: async (context) => {
    const levels = [...new Set(context.body.levels)]
    if (levels.length === 0) refuse(subscriptionsRefusals, 'NO_SUBSCRIPTIONS_SELECTED')
    const results: { level: number; ok: boolean; message: string }[] = []
    for (const level of levels) {
      const failure = await failureOfDeleting(context, level)
      const message = `Level ${level}: ${failure ?? 'Subscription deleted successfully'}`
      results.push({ level, ok: failure === undefined, message })
    }
    const deleted = results.filter(({ ok }) => ok).length
    const failed = results.length - deleted
    return { message: `${deleted} deleted, ${failed} failed`, deleted, failed, results }
  },
})

/** Why a level could not be deleted; undefined when it is gone. */
async function failureOfDeleting(context: CallContext<BulkDelete>, level: number): Promise<string | undefined> {
  const { services, app, body, now } = context
  const force = body.forceDelete ?? false
  const target = String(level)
  try {
    await deleteSubscription(services.db, {
      appId: app.id,
      level,
      force,
      now,
      record: (tx, done) =>
        recordAudit(tx, context, { act: 'subscription.delete', target, details: { force, ...done } }),
    })
    return undefined
  } catch (error) {
    if (error instanceof CallRefused) return error.message
    throw error
  }
}
