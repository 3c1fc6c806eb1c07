import { CallError, filled, type Problem, reject } from '#contract/errors.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { deleteSubscription } from '../subscriptions.actions.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { subscriptionsErrors } from '../subscriptions.errors.ts'

const call = subscriptionsContract.bulkDeleteSubscriptions
const { successes } = subscriptionsContract.deleteSubscription

export const bulkDeleteSubscriptions = endpoint(call, {
  writeInBatches: async (context) => {
    const levels = [...new Set(context.body.levels)]
    if (levels.length === 0) reject(subscriptionsErrors, 'NO_SUBSCRIPTIONS_SELECTED')
    const results = []
    for (const level of levels) {
      const { failure, undoId = null } = await deleteOne(context, level)
      const { code, values } = failure ?? { code: 'SUBSCRIPTION_DELETE_OK', values: undefined }
      const text = failure?.message ?? filled(successes.SUBSCRIPTION_DELETE_OK)
      results.push({ level, ok: failure === undefined, code, values, undoId, message: `Level ${level}: ${text}` })
    }
    const deleted = results.filter(({ ok }) => ok).length
    const failed = results.length - deleted
    return { code: 'SUBSCRIPTIONS_DELETE_OK', values: { deleted, failed }, deleted, failed, results }
  },
})

/** Deletes a level; returns what restores it, or why it could not be deleted. */
async function deleteOne(
  context: CallContext<typeof call>,
  level: number,
): Promise<{ undoId?: string; failure?: Problem & { message: string } }> {
  const force = context.body.forceDelete ?? false
  try {
    const { undoId } = await deleteSubscription(context.services.db, context, { level, force })
    return { undoId }
  } catch (error) {
    if (error instanceof CallError) return { failure: error }
    throw error
  }
}
