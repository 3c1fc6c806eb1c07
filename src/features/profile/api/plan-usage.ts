import { accountById, signInAgain } from '#features/accounts/accounts.actions.ts'
import { limitOnWire, planOf } from '#features/accounts/plans.rules.ts'
import { appsOfOwner } from '#features/apps/owner-apps.actions.ts'
import { countLicensesByApp } from '#features/licenses/licenses.actions.ts'
import { countUsersByApp } from '#features/users/user-totals.actions.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const planUsage = endpoint(profileContract.planUsage, {
  read: async ({ services: { db }, actor, now }) => {
    const account = (await accountById(db.read, actor.id)) ?? signInAgain()
    const { name, limits } = planOf(account, now)
    const apps = await appsOfOwner(db.read, actor.id)
    return {
      plan_type: name,
      plan_expires_at: account.plan_expires_at,
      usage: {
        apps: apps.length,
        max_users_in_any_app: maxOf(await countUsersByApp(db.reports, apps)),
        max_licenses_in_any_app: maxOf(await countLicensesByApp(db.reports, apps)),
        // Apps get their variables with the screen of that name; until then none has any.
        max_variables_in_any_app: 0,
      },
      limits: {
        max_apps: limitOnWire(limits.apps),
        max_users_per_app: limitOnWire(limits.usersPerApp),
        max_licenses_per_app: limitOnWire(limits.licensesPerApp),
        max_variables_per_app: limitOnWire(limits.variablesPerApp),
      },
    }
  },
})

const maxOf = (counts: Map<string, number>): number => Math.max(0, ...counts.values())
