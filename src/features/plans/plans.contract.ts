import type { CallsOf } from '#contract/calls.ts'
import { Type } from 'typebox'
import { defineCall } from '#contract/define-call.ts'
import { reply } from '#contract/fields.ts'
import { planFeatures } from '#contract/plan-features.ts'

/** Plans on offer to owners. */

export const PlanFeatures = Type.Object(
  Object.fromEntries(planFeatures.map((feature) => [feature, Type.Boolean()])) as Record<
    (typeof planFeatures)[number],
    ReturnType<typeof Type.Boolean>
  >,
)

const Limit = Type.Integer({ minimum: -1, description: '-1 for unlimited' })

export const PlanReply = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  price: Type.Number({ description: 'US dollars per month' }),
  order: Type.Integer(),
  active: Type.Boolean(),
  limits: Type.Object({
    max_apps: Limit,
    max_users_per_app: Limit,
    max_licenses_per_app: Limit,
    max_variables_per_app: Limit,
    max_storage_mb: Limit,
  }),
  features: PlanFeatures,
})

export const plansContract = {
  listOfferedPlans: defineCall('GET /plans', {
    access: 'account',
    summary: 'List the offered plans in display order.',
    reply: reply({ plans: Type.Array(PlanReply) }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof plansContract> {}
}
