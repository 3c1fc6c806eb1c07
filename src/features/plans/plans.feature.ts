import type { Feature } from '#server/http/endpoint.ts'
import { listOfferedPlans } from './api/list-offered-plans.ts'
import { planJobs } from './plan-notices.ts'
import { plansContract } from './plans.contract.ts'
import { hasPlanFeature } from './plans.reads.ts'

/** What an owner has bought, and what it allows. */
export const plans: Feature = {
  name: 'plans',
  contract: plansContract,
  endpoints: [listOfferedPlans],
  jobs: planJobs,
  identities: { planFeature: ({ db }, ownerId, feature, now) => hasPlanFeature(db.read, ownerId, feature, now) },
}
