import { t } from '@lingui/core/macro'
import { type RefObject, useRef, useState } from 'react'
import { type Plan, type PlanName, plans, unlimited } from '#features/plans/plans.rules.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** The three plans (part 1 §9). The button only says that the upgrade comes: no call is made (conflicts C46). */
export function UpgradeDialog({ current, onClose }: { current: PlanName; onClose: () => void }) {
  const [chosen, setChosen] = useState<PlanName>(current === 'Free' ? 'Developer' : 'Pro')
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
          {/* Among the buttons, where it is in view on a phone too. */}
          <div role="alert" className={pressed ? 'w-full' : 'hidden'}>
            {pressed && (
              <p className="rounded-md tint-info px-3 py-2 text-ui text-info">
                {t`The upgrade will be implemented soon`}. {t`Until then an administrator can change your plan.`}
              </p>
            )}
          </div>
          <p className="mr-auto self-center text-meta text-text-2">
            {t`30-day money-back guarantee`} · {t`cancel anytime`} · {t`instant activation`}
          </p>
          <Button onClick={onClose}>{t`Close`}</Button>
          <Button
            variant="primary"
            disabledReason={chosen === current ? t`You are on this plan` : undefined}
            onClick={() => setPressed(true)}
          >{t`Upgrade to ${chosen}`}</Button>
        </>
      }
    >
      <div role="radiogroup" aria-label={t`Plan`} className="grid gap-3 md:grid-cols-3">
        {Object.values(plans).map((plan) => (
          <PlanCard
            key={plan.name}
            plan={plan}
            chosen={plan.name === chosen}
            radio={plan.name === chosen ? chosenRadio : undefined}
            onChoose={() => setChosen(plan.name)}
          />
        ))}
      </div>
    </Dialog>
  )
}

interface PlanCardProps {
  plan: Plan
  chosen: boolean
  radio: RefObject<HTMLInputElement | null> | undefined
  onChoose: () => void
}

function PlanCard({ plan, chosen, radio, onChoose }: PlanCardProps) {
  return (
    <label
      className={`flex cursor-pointer flex-col gap-2 rounded-lg border p-4 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-focus ${chosen ? 'border-accent-text bg-surface-2' : 'border-line'}`}
    >
      <span className="flex items-center justify-between gap-2">
        <span className="text-section font-semibold">{plan.name}</span>
        {plan.name === 'Developer' && <Badge tone="ok" dot="none">{t`Most Popular`}</Badge>}
      </span>
      <input
        ref={radio}
        type="radio"
        name="plan"
        className="sr-only"
        checked={chosen}
        onChange={onChoose}
        aria-label={plan.name}
      />
      <span className="text-stat font-semibold tabular-nums">${plan.pricePerMonth}</span>
      <span className="text-meta text-text-2">{plan.pricePerMonth === 0 ? t`forever` : t`per month`}</span>
      <ul className="mt-1 flex flex-col gap-1 text-ui text-text-2">
        {planLines(plan).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </label>
  )
}

function planLines({ name, limits }: Plan): string[] {
  const { apps, usersPerApp, licensesPerApp, variablesPerApp } = limits
  if (name === 'Pro') {
    return [t`Unlimited applications, users, licenses and variables`, t`White-label options`, t`Custom integrations`]
  }
  if (usersPerApp === unlimited) return [t`${apps} applications`, t`Unlimited users, licenses and variables`]
  return [
    t`${apps} application`,
    t`${usersPerApp} users per app`,
    t`${licensesPerApp} licenses per app`,
    t`${variablesPerApp} variables per app`,
  ]
}
