import { t } from '@lingui/core/macro'
import { type RefObject, useId, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { planFeatures } from '#contract/plan-features.ts'
import { unlimited } from '#features/plans/plans.rules.ts'
import { featureLabels, limitTexts } from '#features/plans/web/plan-labels.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { priceText } from '#web/ui/price-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { offeredPlansQuery } from './profile-queries.ts'

type Plan = CallReply<'GET /plans'>['plans'][number]

/** The plans on offer. The button only announces that upgrades are coming; it makes no API call. */
export function UpgradeDialog({ current, onClose }: { current: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(offeredPlansQuery)
  const [picked, setChosen] = useState<string>()
  const plans = data?.plans ?? []
  const chosenPlan = picked ?? suggestedPlan(plans, current)
  const place = (of: string | undefined) => plans.findIndex(({ name }) => name === of)
  const chosen = plans[place(chosenPlan)]?.displayName
  const chosenRadio = useRef<HTMLInputElement>(null)
  const [pressed, setPressed] = useState(false)
  return (
    <Dialog
      title={t`Upgrade plan`}
      size="lg"
      initialFocus={chosenRadio}
      onClose={onClose}
      footer={
        <>
          {/* Next to the buttons, so that it is visible on phones too. */}
          <div role="alert" className={pressed ? 'w-full' : 'hidden'}>
            {pressed && (
              <p className="rounded-md tint-info px-3 py-2 text-ui text-info">
                {t`The upgrade will be implemented soon`}. {t`Until then, an administrator can change your plan.`}
              </p>
            )}
          </div>
          <p className="mr-auto self-center text-meta text-text-2">
            {t`30-day money-back guarantee`} · {t`cancel anytime`} · {t`instant activation`}
          </p>
          <Button onClick={onClose}>{t`Close`}</Button>
          <ButtonWithReason
            variant="primary"
            disabledReason={chosen === undefined ? t`Choose a plan` : undefined}
            onClick={() => setPressed(true)}
          >
            {chosen === undefined
              ? t`Upgrade plan`
              : place(chosenPlan) < place(current)
                ? t`Change to ${chosen}`
                : t`Upgrade to ${chosen}`}
          </ButtonWithReason>
        </>
      }
    >
      <div role="radiogroup" aria-label={t`Plan`} className="grid gap-3 sm:grid-cols-3">
        {error && <QueryFailed query={{ error, refetch }} failure={t`Failed to load plans`} />}
        {plans.map((plan) => (
          <PlanCard
            key={plan.name}
            plan={plan}
            chosen={plan.name === chosenPlan}
            isCurrent={plan.name === current}
            radio={plan.name === chosenPlan ? chosenRadio : undefined}
            onChoose={() => setChosen(plan.name)}
          />
        ))}
      </div>
    </Dialog>
  )
}

/** The next higher plan; on the highest one there is none. */
function suggestedPlan(plans: readonly Plan[], current: string): string | undefined {
  const at = plans.findIndex(({ name }) => name === current)
  return at < 0 ? undefined : plans[at + 1]?.name
}

interface PlanCardProps {
  plan: Plan
  chosen: boolean
  /** Of the account: it can't be chosen. */
  isCurrent: boolean
  radio: RefObject<HTMLInputElement | null> | undefined
  onChoose: () => void
}

function PlanCard({ plan, chosen, isCurrent, radio, onChoose }: PlanCardProps) {
  const note = useId()
  return (
    <label
      className={`flex flex-col gap-2 rounded-lg border p-4 outline-offset-2 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-focus ${chosen ? 'border-accent-text bg-surface-2' : 'border-line'} ${isCurrent ? '' : 'cursor-pointer'}`}
    >
      <span className="flex items-center justify-between gap-2">
        <span className="text-section font-semibold">{plan.displayName}</span>
        {isCurrent ? (
          <span id={note}>
            <Badge tone="neutral">{t`Current plan`}</Badge>
          </span>
        ) : (
          plan.name === 'Developer' && <Badge tone="accent">{t`Most Popular`}</Badge>
        )}
      </span>
      <input
        ref={radio}
        type="radio"
        name="plan"
        className="sr-only"
        checked={chosen}
        disabled={isCurrent}
        onChange={onChoose}
        aria-describedby={isCurrent ? note : undefined}
        aria-label={plan.displayName}
      />
      <span className="text-stat font-semibold tabular-nums">{priceText(plan.price)}</span>
      <span className="text-meta text-text-2">{plan.price === 0 ? t`forever` : t`per month`}</span>
      <ul className="mt-1 flex flex-col gap-1 text-ui text-text-2">
        {planLines(plan).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </label>
  )
}

/** The plan's limits, then its storage and features. */
function planLines(plan: Plan): string[] {
  const { megabytes: storage } = limitTexts(plan.limits)
  const labels = featureLabels()
  const included = planFeatures.filter((feature) => plan.features[feature]).map((feature) => labels[feature])
  return [...limitLines(plan), t`${storage} MB of storage for files`, ...included]
}

function limitLines({ name, limits }: Plan): string[] {
  const { max_users_per_app: users, max_licenses_per_app: licenses, max_variables_per_app: variables } = limits
  const { apps, perApp } = limitTexts(limits)
  const isUnlimited = [users, licenses, variables].every((limit) => limit === unlimited)
  if (isUnlimited && limits.max_apps === unlimited) {
    const rest = name === 'Pro' ? [t`White-label options`, t`Custom integrations`] : []
    return [t`Unlimited applications, users, licenses and variables`, ...rest]
  }
  return isUnlimited ? [apps, t`Unlimited users, licenses and variables`] : [apps, ...perApp]
}
