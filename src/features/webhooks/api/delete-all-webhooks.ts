import { endpoint } from '#server/http/endpoint.ts'
import { deleteAllWebhooks as deleteAll } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

export const deleteAllWebhooks = endpoint(webhooksContract.deleteAllWebhooks, {
  write: async (tx, context) => ({ code: 'WEBHOOKS_DELETE_ALL_OK', ...(await deleteAll(tx, context)) }),
})
