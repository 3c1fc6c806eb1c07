import { endpoint } from '#server/http/endpoint.ts'
import { deleteWebhook as deleteWebhookAction } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

export const deleteWebhook = endpoint(webhooksContract.deleteWebhook, {
  write: async (tx, context) => {
    const undoId = await deleteWebhookAction(tx, context, context.body.webhookId)
    return { code: 'WEBHOOK_DELETE_OK', undoId }
  },
})
