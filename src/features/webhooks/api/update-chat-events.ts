import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { setChatEvents } from '../webhooks.actions.ts'
import { webhooksContract } from '../webhooks.contract.ts'

const call = webhooksContract.updateChatEvents

export const updateChatEvents = endpoint(call, {
  write: async (tx, context) => {
    const { events, before } = context.body
    await setChatEvents(tx, context, { events, before })
    return done(call, 'CHAT_EVENTS_UPDATE_OK')
  },
})
