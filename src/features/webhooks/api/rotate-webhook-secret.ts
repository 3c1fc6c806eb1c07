import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { rotateSecret } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'
import { overlapHours as overlap } from '../webhooks.rules.ts'

const call = webhooksContract.rotateWebhookSecret

export const rotateWebhookSecret = endpoint(call, {
  write: async (tx, context) => {
    const { webhookId, overlapHours = overlap.standard } = context.body
    const secret = await rotateSecret(tx, context, { webhookId, overlapHours })
    return { ...done(call, 'WEBHOOK_ROTATE_OK'), secret }
  },
})
