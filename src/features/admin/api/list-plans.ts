import { endpoint } from '#server/http/endpoint.ts'
import { adminContract } from '../admin.contract.ts'
import { plansOf } from '../admin.reply.ts'

export const listPlans = endpoint(adminContract.listPlans, {
  read: ({ services: { db } }) => plansOf(db.read),
})
