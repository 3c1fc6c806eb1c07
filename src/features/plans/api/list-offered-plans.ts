import { endpoint } from '#server/http/endpoint.ts'
import { plansContract } from '../plans.contract.ts'
import { listPlans } from '../plans.reads.ts'
import { planReply } from '../plans.reply.ts'

export const listOfferedPlans = endpoint(plansContract.listOfferedPlans, {
  read: async ({ services: { db } }) => {
    const plans = await listPlans(db.read)
    return { plans: plans.filter(({ active }) => active).map(planReply) }
  },
})
