import type { Static } from 'typebox'
import type { PlanReply } from './plans.contract.ts'
import type { Plan } from './plans.rules.ts'

/** A plan as the API returns it. */
export const planReply = ({ limits, ...plan }: Plan): Static<typeof PlanReply> => ({
  ...plan,
  limits: {
    max_apps: limits.apps,
    max_users_per_app: limits.usersPerApp,
    max_licenses_per_app: limits.licensesPerApp,
    max_variables_per_app: limits.variablesPerApp,
    max_storage_mb: limits.storageMb,
  },
})
