import type { Static } from 'typebox'
import type { Database, Reader } from '#database/database.ts'
import type { Account } from '#features/accounts/accounts.reads.ts'
import { listOwnAppIds } from '#features/apps/apps.reads.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import type { PlanChange } from '#features/plans/plans.actions.ts'
import { listPlans, planInForce } from '#features/plans/plans.reads.ts'
import { planEndOf } from '#features/plans/plans.rules.ts'
import { planReply } from '#features/plans/plans.reply.ts'
import { countUsersOfApps } from '#features/users/users.reads.ts'
import type { adminContract } from './admin.contract.ts'

type OwnerReply = Static<(typeof adminContract)['listOwners']['reply']>['owners'][number]

const sumOf = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** An owner with totals of all apps. */
export async function ownerReply({ reports }: Database, account: Account, now: number): Promise<OwnerReply> {
  const apps = await listOwnAppIds(reports, account.id)
  const plan = await planInForce(reports, account, now)
  return {
    id: account.id,
    ownerid: account.id,
    username: account.username,
    email: account.email,
    role: account.role,
    banned: account.banned === 1,
    createdDate: account.created_at,
    subscriptionType: [plan.name],
    planDisplayName: plan.displayName,
    planExpiresAt: planEndOf(account, plan.name),
    prioritySupport: plan.features.priority_support,
    stats: {
      apps: apps.length,
      users: sumOf(await countUsersOfApps(reports, apps)),
      licenses: sumOf(await countLicensesOfApps(reports, apps)),
    },
  }
}

/** For the owners of a page, not for all. */
export const ownerReplies = (db: Database, accounts: readonly Account[], now: number): Promise<OwnerReply[]> =>
  Promise.all(accounts.map((account) => ownerReply(db, account, now)))

/** All plans; also the reply of each change of plans. */
export const plansOf = async (db: Reader) => ({ plans: (await listPlans(db)).map(planReply) })

type PlanFields = Omit<Static<(typeof adminContract)['updatePlan']['body']>, 'name' | 'before'>

/** Converts the fields of a plan from the call to the stored form. */
export const planFields = ({ limits, ...fields }: PlanFields): PlanChange => ({
  ...fields,
  ...(limits && {
    limits: {
      apps: limits.max_apps,
      usersPerApp: limits.max_users_per_app,
      licensesPerApp: limits.max_licenses_per_app,
      variablesPerApp: limits.max_variables_per_app,
      storageMb: limits.max_storage_mb,
    },
  }),
})
