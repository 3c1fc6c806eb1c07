import { planFeatures } from '#contract/plan-features.ts'
import type { Reader } from '#database/database.ts'
import { getAccount } from '#features/accounts/accounts.actions.ts'
import { listOwnAppIds } from '#features/apps/apps.reads.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import { type BoughtPlan, findPlan, planInForce } from '#features/plans/plans.reads.ts'
import { limitOnWire, planEndOf } from '#features/plans/plans.rules.ts'
import { countUsersOfApps } from '#features/users/users.reads.ts'
import { countVariablesOfApps } from '#features/variables/variables.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const planUsage = endpoint(profileContract.planUsage, {
  read: async ({ services: { db }, actor, now }) => {
    const account = await getAccount(db.read, actor.id)
    const { name, displayName, limits, features } = await planInForce(db.read, account, now)
    const apps = await listOwnAppIds(db.read, actor.id)
    return {
      plan_type: name,
      displayName,
      plan_expires_at: planEndOf(account, name),
      usage: {
        apps: apps.length,
        max_users_in_any_app: maxOf(await countUsersOfApps(db.reports, apps)),
        max_licenses_in_any_app: maxOf(await countLicensesOfApps(db.reports, apps)),
        max_variables_in_any_app: maxOf(await countVariablesOfApps(db.reports, apps)),
      },
      limits: {
        max_apps: limitOnWire(limits.apps),
        max_users_per_app: limitOnWire(limits.usersPerApp),
        max_licenses_per_app: limitOnWire(limits.licensesPerApp),
        max_variables_per_app: limitOnWire(limits.variablesPerApp),
      },
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

const maxOf = (counts: Map<string, number>): number => Math.max(0, ...counts.values())
