import type { Reader } from '#database/database.ts'
import { listOwnAppIds } from '#features/apps/apps.reads.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import { limitOnWire, type Plan } from '#features/plans/plans.rules.ts'
import { countUsersOfApps } from '#features/users/users.reads.ts'
import { countVariablesOfApps } from '#features/variables/variables.reads.ts'

const maxOf = (counts: Map<string, number>): number => Math.max(0, ...counts.values())

/** What an owner uses of a plan: the apps, and the most of anything in one of them. */
export async function planUseOf(reports: Reader, ownerId: string, { limits }: Pick<Plan, 'limits'>) {
  const apps = await listOwnAppIds(reports, ownerId)
  return {
    usage: {
      apps: apps.length,
      max_users_in_any_app: maxOf(await countUsersOfApps(reports, apps)),
      max_licenses_in_any_app: maxOf(await countLicensesOfApps(reports, apps)),
      max_variables_in_any_app: maxOf(await countVariablesOfApps(reports, apps)),
    },
    limits: {
      max_apps: limitOnWire(limits.apps),
      max_users_per_app: limitOnWire(limits.usersPerApp),
      max_licenses_per_app: limitOnWire(limits.licensesPerApp),
      max_variables_per_app: limitOnWire(limits.variablesPerApp),
    },
  }
}
