import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteWebhook as deleteWebhookAction } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

const call = webhooksContract.deleteWebhook

export const deleteWebhook = endpoint(call, {
  write: async (tx, context) => {
    const undoId = await deleteWebhookAction(tx, context, context.body.webhookId)
    return { ...done(call, 'WEBHOOK_DELETE_OK'), undoId }
  },
})
