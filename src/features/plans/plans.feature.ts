import type { Feature } from '#server/http/endpoint.ts'
import { listOfferedPlans } from './api/list-offered-plans.ts'
import { warnOfUnknownDefaultPlan } from './default-plan.ts'
import { planJobs } from './plan-notices.ts'
import { plansContract } from './plans.contract.ts'
import { hasPlanFeature } from './plans.reads.ts'

/** Plans of owners, with their limits and features. */
export const plans: Feature = {
  name: 'plans',
  contract: plansContract,
  endpoints: [listOfferedPlans],
  jobs: planJobs,
  start: warnOfUnknownDefaultPlan,
  identities: { planFeature: ({ db }, ownerId, feature, now) => hasPlanFeature(db.read, ownerId, feature, now) },
}
