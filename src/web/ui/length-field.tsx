import { t } from '@lingui/core/macro'
import { unitSeconds } from '#contract/duration.ts'
import type { FieldProps } from './field.tsx'
import { NumberField } from './number-field.tsx'
import { SelectField } from './select-field.tsx'

const units = ['minutes', 'hours', 'days'] as const

/** A length of time as it is typed. */
export interface Length {
  /** `undefined` while the field is empty. */
  count: number | undefined
  unit: (typeof units)[number]
}

/** In the largest unit that divides it evenly. */
export function lengthOf(seconds: number): Length {
  const unit = units.findLast((each) => seconds % unitSeconds[each] === 0) ?? 'minutes'
  return { count: seconds / unitSeconds[unit], unit }
}

/** Whole seconds; NaN while the field is empty. */
export const lengthSeconds = ({ count = NaN, unit }: Length): number => Math.round(count * unitSeconds[unit])

interface LengthFieldProps extends FieldProps {
  value: Length
  onChange: (value: Length) => void
  name?: string
}

/** A number of minutes, hours, or days. */
export function LengthField({ value, onChange, ...props }: LengthFieldProps) {
  const texts = { minutes: t`minutes`, hours: t`hours`, days: t`days` }
  return (
    <NumberField
      {...props}
      min={1}
      value={value.count}
      onChange={(count) => onChange({ ...value, count })}
      suffix={
        <SelectField
          label={t`${props.label}: unit`}
          hideLabel
          options={units.map((unit) => ({ value: unit, label: texts[unit] }))}
          value={value.unit}
          onChange={({ target }) => onChange({ ...value, unit: target.value as Length['unit'] })}
        />
      }
    />
  )
}
