import { endpoint } from '#server/http/endpoint.ts'
import { changeReseller, requireVerificationOfEmailChange } from '../reseller-email.actions.ts'
import { banReseller as banAction } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

export const updateReseller = endpoint(resellersContract.updateReseller, {
  prepare: (context) => requireVerificationOfEmailChange(context, { id: context.params.id, ...context.body }),
  write: async (tx, context) => {
    const { params, body } = context
    const { email, banned, pending_email: pending } = await changeReseller(tx, context, { id: params.id, ...body })
    const isSent = body.email !== undefined && pending !== null
    return {
      code: isSent ? 'RESELLER_EMAIL_SENT' : 'RESELLER_UPDATE_OK',
      email: email ?? '',
      pendingEmail: pending,
      banned: banned === 1,
    }
  },
})

export const banReseller = endpoint(resellersContract.banReseller, {
  write: async (tx, context) => {
    const banned = await banAction(tx, context, { id: context.params.id, banned: context.body?.banned })
    return { code: banned ? 'RESELLER_BAN_OK' : 'RESELLER_UNBAN_OK', banned }
  },
})
