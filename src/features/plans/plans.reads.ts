import type { Selectable } from 'kysely'
import type { PlanFeature } from '#contract/plan-features.ts'
import type { Reader } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import { findAccountPlan } from '#features/accounts/accounts.reads.ts'
import { freePlan, type Plan, planNameOf, unlimitedPlan, withFeatures } from './plans.rules.ts'
import type { PlansTable } from './plans.table.ts'

export type PlanRow = Selectable<PlansTable>

export function planOfRow(row: PlanRow): Plan {
  return {
    name: row.name,
    displayName: row.display_name,
    price: Number(row.price_cents) / 100,
    order: row.position,
    active: row.active === 1,
    limits: {
      apps: Number(row.max_apps),
      usersPerApp: Number(row.max_users_per_app),
      licensesPerApp: Number(row.max_licenses_per_app),
      variablesPerApp: Number(row.max_variables_per_app),
      storageMb: Number(row.max_storage_mb),
    },
    features: withFeatures(JSON.parse(row.features) as string[]),
  }
}

/** All plans in display order. */
export async function listPlans(db: Reader): Promise<Plan[]> {
  const rows = await db.selectFrom('plans').selectAll().orderBy('position').orderBy('name').execute()
  return rows.map(planOfRow)
}

const planByName = preparedQuery((db, { name }: { name: string }) =>
  db.selectFrom('plans').selectAll().where('name', '=', name),
)

export async function findPlan(db: Reader, name: string): Promise<Plan | undefined> {
  const [row] = await planByName(db, { name })
  return row && planOfRow(row)
}

export interface BoughtPlan {
  plan: string
  plan_expires_at: number | null
}

/** The current plan, always read from the database so that changes apply to the next call in every process. */
export async function planInForce(db: Reader, bought: BoughtPlan, now: number): Promise<Plan> {
  const name = planNameOf(bought, now)
  if (name === unlimitedPlan.name) return unlimitedPlan
  return (await findPlan(db, name)) ?? (await findPlan(db, freePlan.name)) ?? freePlan
}

/** The current plan of an account; Free if the account no longer exists. */
export async function planOfAccount(db: Reader, accountId: string, now: number): Promise<Plan> {
  const bought = await findAccountPlan(db, accountId)
  return planInForce(db, bought ?? { plan: freePlan.name, plan_expires_at: null }, now)
}

export async function hasPlanFeature(db: Reader, ownerId: string, feature: PlanFeature, now: number): Promise<boolean> {
  return (await planOfAccount(db, ownerId, now)).features[feature]
}
