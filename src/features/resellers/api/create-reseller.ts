import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { createReseller as createAction, renewSetup as renewAction } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import { newResellerReply } from '../resellers.reply.ts'

const { createReseller: createCall, renewSetup: renewCall } = resellersContract

export const createReseller = endpoint(createCall, {
  write: async (tx, context) => {
    const { reseller, token } = await createAction(tx, context, context.body.username)
    return {
      ...done(createCall, 'RESELLER_CREATE_OK'),
      reseller: { ...newResellerReply(reseller), registrationToken: token },
      username: reseller.username,
      registrationToken: token,
    }
  },
})

export const renewSetup = endpoint(renewCall, {
  write: async (tx, context) => {
    const { reseller, token } = await renewAction(tx, context, context.params.id)
    const { username, setup_expires_at: expiresAt } = reseller
    const link = { registrationToken: token, username, setupExpiresAt: expiresAt ?? 0 }
    return { ...done(renewCall, 'SETUP_LINK_OK'), ...link }
  },
})
