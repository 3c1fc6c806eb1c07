import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { PlanFeature } from '#contract/plan-features.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { unlimited } from '../plans.rules.ts'

type Limits = CallReply<'GET /plans'>['plans'][number]['limits']

export const featureLabels = (): Record<PlanFeature, string> => ({
  custom_variables: t`Custom variables`,
  file_upload: t`File upload`,
  advanced_analytics: t`Advanced analytics`,
  priority_support: t`Priority support`,
  webhooks: t`Webhooks`,
  bulk_operations: t`Bulk operations`,
  custom_branding: t`Custom branding`,
})

/** What a plan allows: apps; users, licenses, and variables of each; and megabytes as a number. */
export function limitTexts(limits: Limits): { apps: string; perApp: string[]; megabytes: string } {
  const { max_apps: apps, max_users_per_app: users, max_licenses_per_app: licenses } = limits
  const { max_variables_per_app: variables, max_storage_mb: megabytes } = limits
  return {
    apps:
      apps === unlimited ? t`Unlimited applications` : plural(apps, { one: '# application', other: '# applications' }),
    perApp: [
      users === unlimited ? t`Unlimited users` : plural(users, { one: '# user per app', other: '# users per app' }),
      licenses === unlimited
        ? t`Unlimited licenses`
        : plural(licenses, { one: '# license per app', other: '# licenses per app' }),
      variables === unlimited
        ? t`Unlimited variables`
        : plural(variables, { one: '# variable per app', other: '# variables per app' }),
    ],
    megabytes: megabytes.toLocaleString(i18n.locale),
  }
}
