import { type PlanFeature, rejectPlanFeature } from '#contract/plan-features.ts'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Database, Reader, Tx } from '#database/database.ts'
import { replacePlan } from '#features/accounts/accounts.actions.ts'
import { listAccountsOfPlan } from '#features/accounts/accounts.reads.ts'
import { type AuditContext, recordAudit } from '#server/audit.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { lockSettings } from '#server/platform-settings.ts'
import type { Services } from '#server/services.ts'
import { findPlan, hasPlanFeature, listPlans, planOfRow } from './plans.reads.ts'
import { plansErrors } from './plans.errors.ts'
import { displayNameProblem, freePlan, newPlan, type Plan, planNameProblem, standardPlans } from './plans.rules.ts'
import { deletePlanRow, insertPlans, lockPlanRow, updatePlanRow } from './plans.writes.ts'

interface FeatureUse {
  ownerId: string
  feature: PlanFeature
  /** Epoch seconds. */
  now: number
}

/** Refuses with `PLAN_FEATURE_MISSING` what the owner's plan doesn't include. What is there stays, and can be read. */
export async function requirePlanFeature(db: Reader, { ownerId, feature, now }: FeatureUse): Promise<void> {
  if (await hasPlanFeature(db, ownerId, feature, now)) return
  rejectPlanFeature(feature)
}

type NewPlan = Partial<Omit<Plan, 'name' | 'displayName' | 'limits' | 'features'>> &
  Pick<Plan, 'name' | 'displayName'> & { limits?: PartialLimits; features?: PartialFeatures }

type PartialLimits = { [K in keyof Plan['limits']]?: number | undefined }
type PartialFeatures = { [K in PlanFeature]?: boolean | undefined }

/** What is left out is as of a new plan. */
export async function createPlan(tx: Tx, context: AuditContext, form: NewPlan): Promise<Plan> {
  const { limits, features, ...fields } = form
  const plan: Plan = {
    ...newPlan,
    ...fields,
    name: form.name.trim(),
    displayName: form.displayName.trim(),
    limits: { ...newPlan.limits, ...defined(limits ?? {}) },
    features: { ...newPlan.features, ...defined(features ?? {}) },
  }
  rejectProblem(plansErrors, planNameProblem(plan.name) ?? displayNameProblem(plan.displayName))
  if (!(await insertPlans(tx.db, [plan]))) reject(plansErrors, 'PLAN_NAME_TAKEN', { details: { field: 'name' } })
  await recordAudit(tx, context, { act: 'plan.create', target: plan.name })
  return plan
}

export interface PlanChange {
  displayName?: string | undefined
  price?: number | undefined
  order?: number | undefined
  active?: boolean | undefined
  limits?: PartialLimits
  features?: PartialFeatures
}

/** Changes what is given and nothing else; owners on the plan feel it with their next act. */
export async function updatePlan(
  tx: Tx,
  context: AuditContext,
  { name, change, before }: { name: string; change: PlanChange; before?: PlanChange | undefined },
): Promise<Plan> {
  const row = (await lockPlanRow(tx.db, name)) ?? reject(plansErrors, 'PLAN_NOT_FOUND')
  const current = planOfRow(row)
  const displayName = change.displayName?.trim()
  if (displayName !== undefined) rejectProblem(plansErrors, displayNameProblem(displayName))
  const changed = defined({ ...change, displayName })
  rejectFieldConflict({ before: before && flat(before), change: flat(changed) }, flat(current))
  const updated: Plan = {
    ...current,
    ...changed,
    name,
    limits: { ...current.limits, ...defined(change.limits ?? {}) },
    features: { ...current.features, ...defined(change.features ?? {}) },
  }
  await updatePlanRow(tx.db, updated)
  await recordAudit(tx, context, { act: 'plan.update', target: name, details: { before: current, after: updated } })
  return updated
}

const ownersPerTransaction = 500

/** Moves owners of a plan that is gone to Free, so that a new plan of its name isn't theirs. */
export async function moveOwnersToFree(db: Database, name: string): Promise<void> {
  // Not a name that a plan can have: that of administrators, above all.
  if (name === freePlan.name || planNameProblem(name)) return
  for (;;) {
    const ids = await listAccountsOfPlan(db.reports, { plan: name, limit: ownersPerTransaction })
    if (ids.length === 0) return
    const isGone = await db.write(async (tx) => {
      if (await findPlan(tx.db, name)) return false
      await replacePlan(tx, { ids, from: name, to: freePlan.name })
      return true
    })
    if (!isGone) return
  }
}

/** Owners of the plan are on Free from now on, and lose no data. */
export async function deletePlan(
  tx: Tx,
  context: AuditContext & { services: Pick<Services, 'settings'> },
  name: string,
): Promise<void> {
  await rejectDefaultPlan(tx, context, name)
  if (!(await deletePlanRow(tx.db, name))) reject(plansErrors, 'PLAN_NOT_FOUND')
  await recordAudit(tx, context, { act: 'plan.delete', target: name })
}

/** New owners need a plan. Free is the one that is left when its row is gone. Locks the setting: it may be changing. */
async function rejectDefaultPlan(
  tx: Tx,
  { services: { settings } }: { services: Pick<Services, 'settings'> },
  name: string,
): Promise<void> {
  if (name === freePlan.name) return
  const { defaultPlan } = { ...settings.defaults.platform, ...(await lockSettings(tx, 'platform')) }
  if (name === defaultPlan && (await findPlan(tx.db, name))) reject(plansErrors, 'PLAN_IS_DEFAULT')
}

/** Only where there are none. */
export async function initPlans(tx: Tx, context: AuditContext): Promise<void> {
  const isEmpty = (await listPlans(tx.db)).length === 0
  if (!isEmpty || !(await insertPlans(tx.db, standardPlans))) reject(plansErrors, 'PLANS_EXIST')
  await recordAudit(tx, context, { act: 'plan.init', target: standardPlans.map(({ name }) => name).join(', ') })
}

/** By the names of the wire, so that each limit and feature is a field of its own. */
function flat({ limits, features, ...fields }: PlanChange): Record<string, unknown> {
  const { apps, usersPerApp, licensesPerApp, variablesPerApp, storageMb } = limits ?? {}
  const named = {
    max_apps: apps,
    max_users_per_app: usersPerApp,
    max_licenses_per_app: licensesPerApp,
    max_variables_per_app: variablesPerApp,
    max_storage_mb: storageMb,
  }
  return defined({ ...fields, ...named, ...features })
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

const defined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>
