import { planFeatures } from '#contract/plan-features.ts'
import type { Reader } from '#database/database.ts'
import { getAccount } from '#features/accounts/accounts.actions.ts'
import { type BoughtPlan, findPlan, planInForce } from '#features/plans/plans.reads.ts'
import { planEndOf } from '#features/plans/plans.rules.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { profileContract } from '../profile.contract.ts'
import { planUseOf } from '../profile.reads.ts'

export const planUsage = endpoint(profileContract.planUsage, {
  read: async ({ services: { db }, actor, now }) => {
    const account = await getAccount(db.read, actor.id)
    const plan = await planInForce(db.read, account, now)
    const { name, displayName, features } = plan
    return {
      plan_type: name,
      displayName,
      plan_expires_at: planEndOf(account, name),
      ...(await planUseOf(db.reports, actor.id, plan)),
      features,
      ending: await endingPlan(db.read, account, now),
    }
  },
})

const noticeSeconds = { before: 7 * 86_400, after: 30 * 86_400 }

/** A plan that ends soon or has ended recently, with the features the owner loses. */
async function endingPlan(db: Reader, account: BoughtPlan, now: number) {
  const { plan, plan_expires_at: endsAt } = account
  if (endsAt === null || endsAt - now > noticeSeconds.before || now - endsAt > noticeSeconds.after) return null
  const bought = await findPlan(db, plan)
  if (!bought) return null
  const next = await planInForce(db, account, endsAt)
  const features = planFeatures.filter((feature) => bought.features[feature] && !next.features[feature])
  return { displayName: bought.displayName, endsAt, features }
}
