import { t } from '@lingui/core/macro'
import { nestedPlan, type PlanFields } from '#features/plans/plan-fields.rules.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { queryClient } from '#web/api/query-client.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { type AdminPlan, adminPlansQuery, adminStatsQuery, showPlans } from './admin-data.ts'

type Nested = ReturnType<typeof nestedPlan>

interface PlanEdit {
  changes: Nested
  /** The changed fields as they were. */
  before: Nested
}

/** Sends the changed fields; what restores them goes with the reply. */
export async function savePlan(name: string, { changes, before }: PlanEdit) {
  const reply = await call('PUT /admin/plans/{id}', { params: { id: name }, body: { ...changes, before } })
  const stored = reply.plans.find((plan) => plan.name === name)
  // As stored: a price is rounded to cents.
  return { ...reply, undo: stored && { name, changes: before, before: fieldsOf(stored, changes) } }
}

type Saved = Omit<Awaited<ReturnType<typeof savePlan>>, 'undo'> & {
  undo: Awaited<ReturnType<typeof savePlan>>['undo'] | undefined
}

/** The values of a plan in the fields of a change. */
function fieldsOf({ limits, features, ...plan }: AdminPlan, change: Nested): Nested {
  const all: PlanFields = { ...plan, ...limits, ...features }
  const { limits: changedLimits, features: changedFeatures, ...changed } = change
  const names = Object.keys({ ...changed, ...changedLimits, ...changedFeatures }) as (keyof PlanFields)[]
  return nestedPlan(Object.fromEntries(names.map((name) => [name, all[name]])))
}

/** Says that a plan is saved. Undo restores the former values, unless somebody has changed them since. */
export function onPlanSaved({ undo, plans, ...reply }: Saved): void {
  showPlans(plans)
  if (undo) notifyUndoable(successText(reply), () => void restorePlan(undo))
  else notify.success(successText(reply))
}

async function restorePlan({ name, ...edit }: NonNullable<Saved['undo']>): Promise<void> {
  const reply = await notifyOutcome(() => savePlan(name, edit), t`Failed to update plan`)
  if (reply) showPlans(reply.plans)
  else await queryClient.invalidateQueries(adminPlansQuery)
  await queryClient.invalidateQueries(adminStatsQuery)
}
