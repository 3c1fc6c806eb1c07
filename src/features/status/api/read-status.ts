import { endpoint } from '#server/http/endpoint.ts'
import { statusContract } from '../status.contract.ts'
import { statusReply, statusWithoutDatabase } from '../status.reply.ts'

const { readStatus: ofAccount, readResellerStatus: ofReseller } = statusContract

export const readStatus = endpoint(ofAccount, {
  read: ({ services }) => statusReply(services),
  withoutDatabase: statusWithoutDatabase,
})

export const readResellerStatus = endpoint(ofReseller, {
  read: ({ services }) => statusReply(services),
  withoutDatabase: statusWithoutDatabase,
})
