import { endpoint } from '#server/http/endpoint.ts'
import { banOwner as banOwnerAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

export const banOwner = endpoint(adminContract.banOwner, {
  write: async (tx, context) => {
    const banned = await banOwnerAction(tx, context, { id: context.params.id, banned: context.body?.banned })
    return { code: banned ? 'OWNER_BAN_OK' : 'OWNER_UNBAN_OK', banned }
  },
})
