import { endpoint } from '#server/http/endpoint.ts'
import { setChatEvents } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

export const updateChatEvents = endpoint(webhooksContract.updateChatEvents, {
  write: async (tx, context) => {
    const { events, before } = context.body
    await setChatEvents(tx, context, { events, before })
    return { code: 'CHAT_EVENTS_UPDATE_OK' }
  },
})
