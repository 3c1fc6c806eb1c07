import { freePlan } from '#features/plans/plans.rules.ts'

interface PlanOption {
  name: string
  displayName: string
  price: number
  active: boolean
}

/** Free applies without a row of its own, too. */
export const withFree = (plans: readonly PlanOption[]): readonly PlanOption[] =>
  plans.some(({ name }) => name === freePlan.name) ? plans : [freePlan, ...plans]
