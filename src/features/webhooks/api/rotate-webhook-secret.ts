import { endpoint } from '#server/http/endpoint.ts'
import { rotateSecret } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'
import { overlapHours as overlap } from '../webhooks.rules.ts'

export const rotateWebhookSecret = endpoint(webhooksContract.rotateWebhookSecret, {
  write: async (tx, context) => {
    const { webhookId, overlapHours = overlap.standard } = context.body
    const secret = await rotateSecret(tx, context, { webhookId, overlapHours })
    return { code: 'WEBHOOK_ROTATE_OK', secret }
  },
})
