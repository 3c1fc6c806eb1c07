import { endpoint } from '#server/http/endpoint.ts'
import { createReseller as createAction, renewSetup as renewAction } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'
import { newResellerReply } from '../resellers.reply.ts'

export const createReseller = endpoint(resellersContract.createReseller, {
  write: async (tx, context) => {
    const { reseller, token } = await createAction(tx, context, context.body.username)
    return {
      code: 'RESELLER_CREATE_OK',
      reseller: { ...newResellerReply(reseller), registrationToken: token },
      username: reseller.username,
      registrationToken: token,
    }
  },
})

export const renewSetup = endpoint(resellersContract.renewSetup, {
  write: async (tx, context) => {
    const { reseller, token } = await renewAction(tx, context, context.params.id)
    const { username, setup_expires_at: expiresAt } = reseller
    const link = { registrationToken: token, username, setupExpiresAt: expiresAt ?? 0 }
    return { code: 'SETUP_LINK_OK', ...link }
  },
})
