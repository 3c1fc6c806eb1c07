import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteAllWebhooks as deleteAll } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

const call = webhooksContract.deleteAllWebhooks

export const deleteAllWebhooks = endpoint(call, {
  write: async (tx, context) => ({ ...done(call, 'WEBHOOKS_DELETE_ALL_OK'), ...(await deleteAll(tx, context)) }),
})
