import { t } from '@lingui/core/macro'
import { useId } from 'react'
import type { OverviewDays } from '../overview.rules.ts'
import { daysText } from './overview-texts.ts'

interface PeriodPickerProps<D extends OverviewDays> {
  offered: readonly D[]
  /** Undefined while a range is shown. */
  days: D | undefined
  onChange: (days: D) => void
}

/** The number of days that charts show. */
export function PeriodPicker<D extends OverviewDays>({ offered, days, onChange }: PeriodPickerProps<D>) {
  const name = useId()
  return (
    <fieldset className="flex rounded-md border border-line bg-surface-1 p-0.5">
      <legend className="sr-only">{t`Period`}</legend>
      {offered.map((each) => (
        <label
          key={each}
          className="relative flex h-7 items-center rounded-sm px-2.5 text-ui whitespace-nowrap text-text-2 hover:text-text has-checked:bg-surface-3 has-checked:font-medium has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-focus pointer-coarse:h-10"
        >
          <input
            type="radio"
            name={name}
            checked={each === days}
            onChange={() => onChange(each)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {daysText(each)}
        </label>
      ))}
    </fieldset>
  )
}
