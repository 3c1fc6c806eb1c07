import { type PlanFeature, planFeatureError, rejectPlanFeature } from '#contract/plan-features.ts'
import { type CallError, reject, rejectProblem } from '#contract/errors.ts'
import type { Database, Reader, Tx } from '#database/database.ts'
import { replacePlan } from '#features/accounts/accounts.actions.ts'
import { listAccountsOfPlan } from '#features/accounts/accounts.reads.ts'
import { type AuditContext, recordAudit } from '#server/audit/audit.ts'
import { changesOf } from '#server/audit/changes.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { lockSettings } from '#server/settings/platform-settings.ts'
import type { Services } from '#server/services.ts'
import { findPlan, hasPlanFeature, listPlans, planOfRow } from './plans.reads.ts'
import { storedPrice } from './plan-fields.rules.ts'
import { plansErrors } from './plans.errors.ts'
import { displayNameProblem, freePlan, newPlan, type Plan, planNameProblem, standardPlans } from './plans.rules.ts'
import { deletePlanRow, insertPlans, lockPlanRow, updatePlanRow } from './plans.writes.ts'

interface FeatureUse {
  ownerId: string
  feature: PlanFeature
  /** Epoch seconds. */
  now: number
}

/** Rejects with `PLAN_FEATURE_MISSING` if the owner's plan lacks the feature. Existing data is kept and readable. */
export async function requirePlanFeature(db: Reader, { ownerId, feature, now }: FeatureUse): Promise<void> {
  if (await hasPlanFeature(db, ownerId, feature, now)) return
  rejectPlanFeature(feature)
}

/** For rows of which each has its own error: the one that all of them have; empty if the plan has the feature. */
export async function withoutPlanFeature(
  db: Reader,
  { ownerId, feature, now }: FeatureUse,
  rows: readonly { id: number }[],
): Promise<Map<number, CallError>> {
  if (await hasPlanFeature(db, ownerId, feature, now)) return new Map()
  return new Map(rows.map(({ id }) => [id, planFeatureError(feature)]))
}

type NewPlan = Partial<Omit<Plan, 'name' | 'displayName' | 'limits' | 'features'>> &
  Pick<Plan, 'name' | 'displayName'> & { limits?: PartialLimits; features?: PartialFeatures }

type PartialLimits = { [K in keyof Plan['limits']]?: number | undefined }
type PartialFeatures = { [K in PlanFeature]?: boolean | undefined }

/** Omitted fields get the defaults of a new plan. */
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

/** Omitted fields keep their value. Applies to the plan's owners from their next action. */
export async function updatePlan(
  tx: Tx,
  context: AuditContext,
  { name, change, before }: { name: string; change: PlanChange; before?: PlanChange | undefined },
): Promise<Plan> {
  const row = (await lockPlanRow(tx.db, name)) ?? reject(plansErrors, 'PLAN_NOT_FOUND')
  const current = planOfRow(row)
  const displayName = change.displayName?.trim()
  if (displayName !== undefined) rejectProblem(plansErrors, displayNameProblem(displayName))
  const changed = defined({ ...asStored(change), displayName })
  rejectFieldConflict({ before: before && flat(asStored(before)), change: flat(changed) }, flat(current))
  const updated: Plan = {
    ...current,
    ...changed,
    name,
    limits: { ...current.limits, ...defined(change.limits ?? {}) },
    features: { ...current.features, ...defined(change.features ?? {}) },
  }
  await updatePlanRow(tx.db, updated)
  await recordAudit(tx, context, { act: 'plan.update', target: name, changes: changesOf(flat(current), flat(updated)) })
  return updated
}

/** A price that is rounded is no conflict, and the audit has what is stored. */
const asStored = (change: PlanChange): PlanChange =>
  change.price === undefined ? change : { ...change, price: storedPrice(change.price) }

const ownersPerTransaction = 500

/** Moves owners of a deleted plan to Free, so that they don't get a new plan of the same name. */
export async function moveOwnersToFree(db: Database, name: string): Promise<void> {
  // Names that no plan can have, above all the administrators' plan.
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

/** Deletes a plan. Its owners are on Free from now on and keep their data. */
export async function deletePlan(
  tx: Tx,
  context: AuditContext & { services: Pick<Services, 'settings'> },
  name: string,
): Promise<void> {
  await rejectDefaultPlan(tx, context, name)
  if (!(await deletePlanRow(tx.db, name))) reject(plansErrors, 'PLAN_NOT_FOUND')
  await recordAudit(tx, context, { act: 'plan.delete', target: name })
}

/** The default plan is needed for new owners; Free works even without a row. Locks the setting against changes. */
async function rejectDefaultPlan(
  tx: Tx,
  { services: { settings } }: { services: Pick<Services, 'settings'> },
  name: string,
): Promise<void> {
  if (name === freePlan.name) return
  const { defaultPlan } = { ...settings.defaults.platform, ...(await lockSettings(tx, 'platform')) }
  if (name === defaultPlan && (await findPlan(tx.db, name))) reject(plansErrors, 'PLAN_IS_DEFAULT')
}

/** Creates the default plans if there are no plans. */
export async function initPlans(tx: Tx, context: AuditContext): Promise<void> {
  const isEmpty = (await listPlans(tx.db)).length === 0
  if (!isEmpty || !(await insertPlans(tx.db, standardPlans))) reject(plansErrors, 'PLANS_EXIST')
  await recordAudit(tx, context, { act: 'plan.init', target: standardPlans.map(({ name }) => name).join(', ') })
}

/** Flattens a change to API field names, with one field per limit and feature. */
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
