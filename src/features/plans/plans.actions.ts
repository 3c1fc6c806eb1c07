import { commonRefusals } from '#contract/common-refusals.ts'
import type { PlanFeature } from '#contract/plan-features.ts'
import { refuse } from '#contract/refusals.ts'
import type { Reader } from '#database/database.ts'
import { hasPlanFeature } from './plans.reads.ts'

interface FeatureUse {
  ownerId: string
  feature: PlanFeature
  /** Epoch seconds. */
  now: number
}

/** Refuses with `PLAN_FEATURE_MISSING` what the owner's plan doesn't include. What is there stays, and can be read. */
export async function requirePlanFeature(db: Reader, { ownerId, feature, now }: FeatureUse): Promise<void> {
  if (await hasPlanFeature(db, ownerId, feature, now)) return
  refuse(commonRefusals, 'PLAN_FEATURE_MISSING', { values: { feature }, details: { feature } })
}
