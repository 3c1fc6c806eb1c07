import { countAccounts, countByPlan } from '#features/accounts/accounts.reads.ts'
import { countAppsSince } from '#features/apps/apps.reads.ts'
import { countAllLicenses } from '#features/licenses/licenses.reads.ts'
import { listPlans } from '#features/plans/plans.reads.ts'
import { freePlan, unlimitedPlan } from '#features/plans/plans.rules.ts'
import { countAllUsers } from '#features/users/users.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { adminContract } from '../admin.contract.ts'
import { countByState } from '../owners.reads.ts'

export const adminStats = endpoint(adminContract.adminStats, {
  read: async ({ services: { db }, now }) => {
    const reader = db.reports
    const month = monthStart(now)
    const plans = await listPlans(reader)
    const counts = await countByPlan(reader, now, freePlan.name)
    // Owners whose plan was deleted are on Free.
    const known = new Set([...plans.map(({ name }) => name), freePlan.name, unlimitedPlan.name])
    for (const [name, count] of counts) {
      if (!known.has(name)) counts.set(freePlan.name, (counts.get(freePlan.name) ?? 0) + count)
    }
    // Free applies without a row of its own, too.
    const withoutRow = [freePlan, unlimitedPlan].filter(
      ({ name }) => counts.has(name) && !plans.some((plan) => plan.name === name),
    )
    const shown = [...plans, ...withoutRow]
    return {
      stats: {
        totals: {
          owners: await countAccounts(reader),
          apps: await countAppsSince(reader, 0),
          users: await countAllUsers(reader),
          licenses: await countAllLicenses(reader),
        },
        recent: {
          owners: await countAccounts(reader, month),
          apps: await countAppsSince(reader, month),
        },
        states: await countByState(reader),
        plans: shown.map(({ name, displayName, price }) => ({
          name,
          displayName,
          price,
          count: counts.get(name) ?? 0,
        })),
      },
    }
  },
})

/** Start of the month in UTC, in epoch seconds. */
function monthStart(now: number): number {
  const date = new Date(now * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000
}
