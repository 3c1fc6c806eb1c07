import { plural, t } from '@lingui/core/macro'
import { GripVertical, Plus, X } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { planPrice } from '../resellers.rules.ts'
import { maxCredits } from '#features/credits/credits.rules.ts'
import { announce } from '#web/browser/announce.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { PlanCostForm } from './plan-cost-form.tsx'
import type { AppConfigEditor } from './use-app-config.ts'

interface PlanBoardProps {
  appName: string
  /** All available plans: numbers of days as strings. */
  plans: readonly string[]
  editor: AppConfigEditor
  onNewPlan: () => void
}

const planType = 'application/x-signet-plan'

export function planText(plan: string): string {
  const days = Number(plan)
  return plural(days, { one: '# day', other: '# days' })
}

export const byDays = (one: string, other: string): number => Number(one) - Number(other)

/** Available plans on the left, allowed ones on the right; drag a plan over or use its button. */
export function PlanBoard({ appName, plans, editor, onNewPlan }: PlanBoardProps) {
  const { config, saved, change } = editor
  const { allowedPlans, planCosts } = config
  const [unpriced, setUnpriced] = useState<readonly string[]>([])
  const isTaken = (plan: string) => allowedPlans.includes(plan) || unpriced.includes(plan)
  const ask = (plan: string) => {
    if (isTaken(plan)) return
    setUnpriced([...unpriced, plan])
    const name = planText(plan)
    announce(t`Enter the cost of ${name} to add it to ${appName}.`)
  }
  const finish = (plan: string) => {
    setUnpriced(unpriced.filter((each) => each !== plan))
    document.getElementById(chipId(appName, plan))?.focus()
  }
  const add = (plan: string, cost: number) => {
    change({ allowedPlans: [...allowedPlans, plan].toSorted(byDays), planCosts: withCost(planCosts, plan, cost) })
    finish(plan)
    const name = planText(plan)
    announce(t`${name} added to ${appName}`)
  }
  const remove = (plan: string) => {
    change({ allowedPlans: allowedPlans.filter((each) => each !== plan) })
    const name = planText(plan)
    announce(t`${name} removed from ${appName}`)
    document.getElementById(chipId(appName, plan))?.focus()
  }
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,260px)_minmax(0,1fr)]">
      <div>
        <h4 className="mb-2 text-ui font-medium">{t`Plans`}</h4>
        <ul aria-label={t`Plans`} className="flex flex-wrap gap-2">
          {plans.map((plan) => (
            <PlanChip key={plan} plan={plan} appName={appName} isAllowed={isTaken(plan)} onAdd={ask} />
          ))}
          <li>
            <Button size="sm" variant="ghost" icon={<Plus />} onClick={onNewPlan}>{t`Custom plan`}</Button>
          </li>
        </ul>
        <p className="mt-2 text-meta text-text-3">{t`Drag a plan to the allowed plans, or press its plus button.`}</p>
      </div>
      <DropZone onDrop={ask}>
        <h4 className="mb-2 text-ui font-medium">{t`Allowed plans`}</h4>
        {allowedPlans.length + unpriced.length === 0 ? (
          <p className="text-ui text-text-2">{t`None yet: the reseller can't sell licenses for this app.`}</p>
        ) : (
          <ul aria-label={t`Allowed plans`} className="flex flex-col ruled">
            {allowedPlans.toSorted(byDays).map((plan) => (
              <AllowedPlan
                key={plan}
                plan={plan}
                cost={planPrice(config, plan)}
                onCost={(cost) => change({ planCosts: withCost(planCosts, plan, cost) })}
                onClear={() => change({ planCosts: withCost(planCosts, plan, planPrice(saved, plan)) })}
                onRemove={() => remove(plan)}
              />
            ))}
            {unpriced.map((plan) => (
              <PlanCostForm
                key={plan}
                name={planText(plan)}
                onAdd={(cost) => add(plan, cost)}
                onCancel={() => finish(plan)}
              />
            ))}
          </ul>
        )}
      </DropZone>
    </div>
  )
}

function withCost(costs: Record<string, number>, plan: string, cost?: number): Record<string, number> {
  const { [plan]: _before, ...others } = costs
  return cost === undefined ? others : { ...others, [plan]: cost }
}

const chipId = (appName: string, plan: string) => `plan ${plan} of ${appName}`

interface ChipProps {
  plan: string
  appName: string
  isAllowed: boolean
  onAdd: (plan: string) => void
}

function PlanChip({ plan, appName, isAllowed, onAdd }: ChipProps) {
  const name = planText(plan)
  const drag = (event: DragEvent) => {
    event.dataTransfer.setData(planType, plan)
    event.dataTransfer.effectAllowed = 'copy'
  }
  return (
    <li
      draggable={!isAllowed}
      onDragStart={drag}
      className={`flex items-center rounded-md border border-line bg-surface-2 pl-1.5 text-ui ${isAllowed ? 'text-text-3' : 'cursor-grab'}`}
    >
      <GripVertical aria-hidden="true" className="size-3.5 text-text-3" />
      <span className="px-1.5">{name}</span>
      <button
        id={chipId(appName, plan)}
        type="button"
        aria-label={t`Add ${name} to ${appName}`}
        aria-disabled={isAllowed || undefined}
        title={isAllowed ? t`Already allowed` : undefined}
        onClick={() => onAdd(plan)}
        className="flex size-7 items-center justify-center rounded-r-md border-l border-line text-text-2 hover:bg-surface-3 hover:text-text aria-disabled:cursor-not-allowed aria-disabled:opacity-45 pointer-coarse:size-11"
      >
        <Plus className="size-3.5" />
      </button>
    </li>
  )
}

/** Accepts plans only; ignores dragged files and text. */
function DropZone({ onDrop, children }: { onDrop: (plan: string) => void; children: ReactNode }) {
  const [isOver, setIsOver] = useState(false)
  return (
    <div
      role="group"
      aria-label={t`Drop plans here`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(planType)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setIsOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) && setIsOver(false)
      }
      onDrop={(event) => {
        const plan = event.dataTransfer.getData(planType)
        setIsOver(false)
        if (plan === '') return
        event.preventDefault()
        onDrop(plan)
      }}
      className={`rounded-md border border-dashed p-3 transition-colors duration-100 ${isOver ? 'border-accent-edge tint-accent-text' : 'border-line-strong'}`}
    >
      {children}
    </div>
  )
}

interface AllowedProps {
  plan: string
  /** Undefined if the plan is not for sale. */
  cost: number | undefined
  onCost: (cost: number) => void
  onClear: () => void
  onRemove: () => void
}

function AllowedPlan({ plan, cost, onCost, onClear, onRemove }: AllowedProps) {
  const name = planText(plan)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 first:pt-0 last:pb-0">
      <span className="w-24 shrink-0 text-ui font-medium">{name}</span>
      <CreditsInput
        label={t`Cost of ${name}`}
        hideLabel
        value={cost}
        onChange={onCost}
        onClear={onClear}
        suffix={t`credits`}
      />
      {cost === undefined && <span className="text-meta text-warn">{t`Not for sale until you enter a cost`}</span>}
      {cost === 0 && <span className="text-meta text-warn">{t`Free: the reseller pays no credits for it`}</span>}
      <IconButton
        size="sm"
        label={t`Remove ${name}`}
        icon={<X />}
        onClick={onRemove}
        className="ml-auto pointer-coarse:size-11"
      />
    </li>
  )
}

interface CreditsInputProps {
  label: string
  hideLabel?: boolean
  help?: string
  value: number | undefined
  onChange: (value: number) => void
  /** Called instead of `onChange` when the field is cleared. Without it, an empty field counts as 0. */
  onClear?: () => void
  suffix?: string
}

/** A non-negative integer. If left empty, the field shows its value again; another number is an error and not taken. */
export function CreditsInput({ value, onChange, onClear, ...field }: CreditsInputProps) {
  const [typed, setTyped] = useState<{ value: number | undefined; isWrong: boolean }>()
  return (
    <NumberField
      {...field}
      error={typed?.isWrong ? t`Enter a whole number of credits` : undefined}
      min={0}
      max={maxCredits}
      value={typed ? typed.value : value}
      onBlur={() => typed?.isWrong || setTyped(undefined)}
      onChange={(next, isReadable) => {
        const isWrong = !isReadable || (next !== undefined && !Number.isInteger(next))
        setTyped(isWrong || next === undefined ? { value: next, isWrong } : undefined)
        if (isWrong) return undefined
        if (next === undefined && onClear) return onClear()
        return onChange(Math.min(Math.max(next ?? 0, 0), maxCredits))
      }}
    />
  )
}
