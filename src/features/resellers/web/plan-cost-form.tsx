import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { maxCredits } from '#features/credits/credits.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NumberField } from '#web/ui/number-field.tsx'

interface PlanCostFormProps {
  /** The plan as text. */
  name: string
  onAdd: (cost: number) => void
  onCancel: () => void
}

/** Asks for the cost of a plan before it is on sale: a plan that is free by mistake costs the owner its price. */
export function PlanCostForm({ name, onAdd, onCancel }: PlanCostFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [cost, setCost] = useState<number>()
  const [wasSent, setWasSent] = useState(false)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const isCost = cost !== undefined && Number.isInteger(cost) && cost >= 0 && cost <= maxCredits
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <form
        ref={form}
        noValidate
        aria-label={t`Cost of ${name}`}
        className="flex flex-wrap items-start gap-x-3 gap-y-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          setWasSent(true)
          if (isCost) onAdd(cost)
          else form.current?.querySelector('input')?.focus()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onCancel()
        }}
      >
        <span className="w-24 shrink-0 pt-1.5 text-ui font-medium pointer-coarse:pt-3">{name}</span>
        <NumberField
          label={t`Cost of ${name}`}
          hideLabel
          className="-mt-1.5"
          required
          min={0}
          max={maxCredits}
          value={cost}
          onChange={setCost}
          suffix={t`credits`}
          help={
            cost === 0
              ? t`Free: the reseller pays no credits for it`
              : t`Enter adds the plan, Escape cancels. 0 is free.`
          }
          error={wasSent && !isCost ? t`Enter a whole number of credits` : undefined}
        />
        <span className="flex gap-2">
          <Button type="submit" size="sm">{t`Add plan`}</Button>
          <IconButton
            size="sm"
            label={t`Do not add ${name}`}
            icon={<X />}
            onClick={onCancel}
            className="pointer-coarse:size-11"
          />
        </span>
      </form>
    </li>
  )
}
