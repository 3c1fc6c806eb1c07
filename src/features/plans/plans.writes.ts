import type { Selectable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { planFeatures } from '#contract/plan-features.ts'
import type { Plan } from './plans.rules.ts'
import type { PlanNoticesTable, PlansTable } from './plans.table.ts'

const rowOf = ({ name, displayName, price, order, active, limits, features }: Plan) => ({
  name,
  display_name: displayName,
  price_cents: Math.round(price * 100),
  position: order,
  active: active ? 1 : 0,
  max_apps: limits.apps,
  max_users_per_app: limits.usersPerApp,
  max_licenses_per_app: limits.licensesPerApp,
  max_variables_per_app: limits.variablesPerApp,
  max_storage_mb: limits.storageMb,
  features: JSON.stringify(planFeatures.filter((feature) => features[feature])),
})

/** Returns false if one of the names is taken; the caller must then roll back the transaction. */
export async function insertPlans(trx: Transaction, plans: readonly Plan[]): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('plans')
    .values(plans.map(rowOf))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) === plans.length
}

export const lockPlanRow = (trx: Transaction, name: string): Promise<Selectable<PlansTable> | undefined> =>
  locking(trx, trx.selectFrom('plans').selectAll().where('name', '=', name)).executeTakeFirst()

export async function updatePlanRow(trx: Transaction, plan: Plan): Promise<void> {
  const { name, ...change } = rowOf(plan)
  await trx.updateTable('plans').set(change).where('name', '=', name).execute()
}

export async function deletePlanRow(trx: Transaction, name: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('plans').where('name', '=', name).executeTakeFirst()
  return Number(numDeletedRows) === 1
}

/** Returns false if the notice has already been stored. */
export async function insertNotice(trx: Transaction, notice: PlanNoticesTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('plan_notices')
    .values(notice)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) === 1
}
