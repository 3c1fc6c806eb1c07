import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type PlanFeature, planFeatures } from '#contract/plan-features.ts'
import { freePlan } from '#features/plans/plans.rules.ts'
import { featureLabels } from '#features/plans/web/plan-labels.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { ConfirmCall } from '#web/form/confirm-call.tsx'
import { type AdminPlan, adminSettingsQuery, refreshOwners, showPlans } from './admin-data.ts'
import { ownersOfPlan } from './dashboard-links.ts'

/** Asked anew each time; undefined if they can't be counted. */
function useOwnersOnPlan(planName: string) {
  return useQuery({
    queryKey: accountKey('admin', 'owners', { onPlan: planName }),
    queryFn: async ({ signal }) =>
      (await call('GET /admin/owners', { query: { planName, page: 1, limit: 1 }, signal })).total,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

interface DeletePlanProps {
  plan: AdminPlan
  plans: readonly AdminPlan[]
  onClose: () => void
}

/** Says how many owners are on the plan and what they lose. If there are any, its name must be typed. */
export function DeletePlanDialog({ plan, plans, onClose }: DeletePlanProps) {
  const { name, displayName } = plan
  const owners = useOwnersOnPlan(name)
  const { data: settings } = useQuery(adminSettingsQuery)
  const isDefault = settings?.platform.defaultPlan === name && name !== freePlan.name
  const blocked = isDefault
    ? t`New owners get this plan. Choose another default plan in System Settings first`
    : owners.isPending
      ? t`Counting the owners on this plan…`
      : undefined
  return (
    <ConfirmCall
      title={t`Delete ${displayName}?`}
      description={t`This action cannot be undone. Users with this plan may lose access to features.`}
      impact={
        isDefault ? blocked : <Impact plan={plan} free={plans.find(isFree)} owners={owners.data} error={owners.error} />
      }
      {...(!isDefault && owners.data !== 0 && { typedName: displayName, typedLabel: t`Display name` })}
      {...(blocked !== undefined && { blockedReason: blocked })}
      confirmLabel={t`Delete plan`}
      danger
      send={() => call('DELETE /admin/plans/{id}', { params: { id: name } })}
      failure={t`Failed to delete plan`}
      refresh={(reply) => {
        showPlans(reply.plans)
        return refreshOwners()
      }}
      onClose={onClose}
    />
  )
}

const isFree = ({ name }: AdminPlan) => name === freePlan.name

interface ImpactProps {
  plan: AdminPlan
  /** Undefined if it was deleted. */
  free: AdminPlan | undefined
  owners: number | undefined
  error: unknown
}

function Impact({ plan, free, owners, error }: ImpactProps) {
  if (error) return failureText(error, t`Failed to count the owners on this plan`)
  if (owners === undefined) return t`Counting the owners on this plan…`
  if (owners === 0) return t`No owner is on this plan.`
  const lost = isFree(plan) ? [] : lostFeatures(plan, free?.features ?? freePlan.features)
  return (
    <div className="flex flex-col gap-1.5">
      <p>
        {isFree(plan) ? stayText(owners) : moveText(owners)}{' '}
        <Link {...ownersOfPlan(plan.name)} className="underline underline-offset-2">{t`Show them`}</Link>
      </p>
      {lost.length > 0 && <p>{lostText(lost)}</p>}
      {!isFree(plan) && (
        <p>{t`Their apps, users, licenses and files stay. Above the limits of Free, they can't create more.`}</p>
      )}
    </div>
  )
}

const moveText = (owners: number): string =>
  plural(owners, {
    one: '# owner is on this plan and moves to Free at once.',
    other: '# owners are on this plan and move to Free at once.',
  })

/** Without its row, Free has its original limits. */
const stayText = (owners: number): string =>
  plural(owners, {
    one: '# owner is on Free and keeps it, with its original limits and features.',
    other: '# owners are on Free and keep it, with its original limits and features.',
  })

const lostFeatures = ({ features }: AdminPlan, left: Readonly<Record<PlanFeature, boolean>>): string[] => {
  const labels = featureLabels()
  return planFeatures.filter((feature) => features[feature] && !left[feature]).map((feature) => labels[feature])
}

function lostText(lost: readonly string[]): string {
  const features = new Intl.ListFormat(i18n.locale).format(lost)
  return t`They lose: ${features}.`
}
