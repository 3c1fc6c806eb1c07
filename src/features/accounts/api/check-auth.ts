import { endpoint } from '#server/http/endpoint.ts'
import { getAccount } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { signedInReply } from '../accounts.reply.ts'

export const checkAuth = endpoint(accountsContract.checkAuth, {
  read: async ({ services, actor }) => signedInReply(await getAccount(services.db.read, actor.id)),
})
