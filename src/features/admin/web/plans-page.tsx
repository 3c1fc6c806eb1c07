import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Check, CreditCard, Pencil, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { planFeatures, type PlanFeature } from '#contract/plan-features.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { notify } from '#web/browser/notify.ts'
import { priceText } from '#web/ui/price-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { type DialogState, useDialog } from '#web/navigation/use-dialog.ts'
import { type AdminPlan, adminPlansQuery, initPlans } from './admin-data.ts'
import { featureLabels, limitTexts } from '#features/plans/web/plan-labels.ts'

const PlanForm = lazyDialog(() => import('./plan-form.tsx'), 'PlanForm')
const DeletePlanDialog = lazyDialog(() => import('./delete-plan-dialog.tsx'), 'DeletePlanDialog')

export function PlansPage() {
  const query = useQuery(adminPlansQuery)
  const { data: plans, error } = query
  const dialog = useDialog()
  const { open, close } = dialog
  const create = useCreateButton(dialog, t`Create Plan`, t`Plans`)
  return (
    <>
      <PageHeader title={t`Manage Plans`} actions={create} />
      {error && !plans && (
        <Card>
          <QueryFailed query={query} failure={t`Failed to load plans`} />
        </Card>
      )}
      <QueryStale query={query} failure={t`Failed to load plans`} />
      {!plans && !error && <PlansSkeleton />}
      {plans?.length === 0 && (
        <EmptyState
          icon={<CreditCard />}
          title={t`No plans configured`}
          actions={
            <Button onClick={() => void initPlans()} variant="primary">
              {t`Initialize Default Plans`}
            </Button>
          }
        >
          {t`Until plans exist, every owner has the limits and features of Free.`}
        </EmptyState>
      )}
      <ul aria-label={t`Plans`} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {plans?.map((plan) => (
          <PlanCard key={plan.name} plan={plan} open={open} />
        ))}
      </ul>
      {dialog.name === 'create' && <PlanForm onClose={close} />}
      {plans && (dialog.name === 'edit' || dialog.name === 'delete') && (
        <PlanDialog key={`${dialog.name} ${dialog.row}`} plans={plans} dialog={dialog} />
      )}
    </>
  )
}

/** The plan stays while its dialog is open, even if it is deleted meanwhile: what is typed is not lost. */
function PlanDialog({ plans, dialog: { name, row, close } }: { plans: AdminPlan[]; dialog: DialogState }) {
  const found = plans.find((each) => each.name === row)
  const [plan, setPlan] = useState(found)
  if (found !== undefined && found !== plan) setPlan(found)
  const isMissing = plan === undefined
  useEffect(() => {
    if (!isMissing) return
    notify.error(t`Plan not found`)
    close()
  }, [isMissing, close])
  if (isMissing) return null
  if (name === 'edit') return <PlanForm plan={plan} onClose={close} />
  return <DeletePlanDialog plan={plan} plans={plans} onClose={close} />
}

function PlansSkeleton() {
  const isShown = useDelayed(true)
  return (
    <div aria-hidden="true" className={`grid gap-4 sm:grid-cols-2 xl:grid-cols-3 ${isShown ? '' : 'invisible'}`}>
      {[1, 2, 3].map((n) => (
        <Skeleton key={n} className="h-96 w-full" />
      ))}
    </div>
  )
}

function PlanCard({ plan, open }: { plan: AdminPlan; open: (name: string, row: string) => void }) {
  const { name, displayName, price, active } = plan
  const labels = featureLabels()
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface-1 p-4">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-section font-semibold">
            <span className="min-w-0 break-words" translate="no">
              {displayName}
            </span>
            {!active && (
              <Badge tone="neutral" dot="dashed">
                {t({ message: 'Inactive', context: 'plan' })}
              </Badge>
            )}
          </h2>
          <p translate="no" className="machine text-meta break-all text-text-2">
            {name}
          </p>
        </div>
        <div className="flex gap-1">
          <IconButton label={t`Edit ${displayName}`} icon={<Pencil />} onClick={() => open('edit', name)} />
          <IconButton label={t`Delete ${displayName}`} icon={<Trash2 />} onClick={() => open('delete', name)} />
        </div>
      </div>
      <p>
        <span className="text-stat font-semibold tabular-nums">{priceText(price)}</span>{' '}
        <span className="text-meta text-text-2">{t`per month`}</span>
      </p>
      <ul className="flex flex-col gap-1 text-ui text-text-2">
        {limitLines(plan).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <ul aria-label={t`Features`} className="flex flex-col gap-1 border-t border-line pt-3 text-ui">
        {planFeatures.map((feature) => (
          <FeatureLine key={feature} label={labels[feature]} included={plan.features[feature as PlanFeature]} />
        ))}
      </ul>
    </li>
  )
}

function FeatureLine({ label, included }: { label: string; included: boolean }) {
  return (
    <li className={`flex items-center gap-2 ${included ? 'text-text' : 'text-text-3'}`}>
      {included ? (
        <Check className="size-4 shrink-0 text-accent-text" role="img" aria-label={t`Included`} />
      ) : (
        <X className="size-4 shrink-0" role="img" aria-label={t`Not included`} />
      )}
      {label}
    </li>
  )
}

function limitLines({ limits }: AdminPlan): string[] {
  const { apps, perApp, megabytes } = limitTexts(limits)
  return [apps, ...perApp, t`${megabytes} MB of storage`]
}
