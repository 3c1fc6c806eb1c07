import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { banOwner as banOwnerAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

const call = adminContract.banOwner

export const banOwner = endpoint(call, {
  write: async (tx, context) => {
    const banned = await banOwnerAction(tx, context, { id: context.params.id, banned: context.body?.banned })
    return { ...done(call, banned ? 'OWNER_BAN_OK' : 'OWNER_UNBAN_OK'), banned }
  },
})
