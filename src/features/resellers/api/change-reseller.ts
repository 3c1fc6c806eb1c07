import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/endpoint.ts'
import { banReseller as banAction, changeReseller } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

const { updateReseller: updateCall, banReseller: banCall } = resellersContract

export const updateReseller = endpoint(updateCall, {
  write: async (tx, context) => {
    const { email, banned } = await changeReseller(tx, context, { id: context.params.id, ...context.body })
    return { ...done(updateCall, 'RESELLER_UPDATE_OK'), email: email ?? '', banned: banned === 1 }
  },
})

export const banReseller = endpoint(banCall, {
  write: async (tx, context) => {
    const banned = await banAction(tx, context, { id: context.params.id, banned: context.body?.banned })
    return { ...done(banCall, banned ? 'RESELLER_BAN_OK' : 'RESELLER_UNBAN_OK'), banned }
  },
})
