import { t } from '@lingui/core/macro'
import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Field, type FieldProps, splitFieldProps } from './field.tsx'
import { stepped } from './stepped.ts'

export interface NumberFieldProps extends FieldProps {
  /** `undefined` while the field is empty. */
  value: number | undefined
  onChange: (value: number | undefined) => void
  min?: number
  max?: number
  step?: number
  disabled?: boolean
  name?: string
  id?: string
  onBlur?: () => void
  /** Content after the field: a unit or a readable form, e.g. "1 hour". */
  suffix?: ReactNode
}

const stepButton =
  'flex w-8 shrink-0 items-center justify-center text-text-2 hover:bg-surface-2 hover:text-text disabled:opacity-40 pointer-coarse:w-11'

export function NumberField({ suffix, ...props }: NumberFieldProps) {
  const { field, input } = splitFieldProps(props)
  const { value, onChange, min, max, step = 1, disabled, onBlur, name } = input
  const move = (by: number) => onChange(stepped(value, by, min, max))
  return (
    <Field {...field}>
      {(wiring) => (
        <div className="flex items-center gap-2.5">
          <div className="control flex h-8 w-36 overflow-hidden pointer-coarse:w-44 outline-offset-2 outline-focus has-[input:focus-visible]:outline-2 has-[[aria-invalid=true]]:border-danger has-[[aria-invalid=true]]:outline-danger pointer-coarse:h-11">
            <input
              {...wiring}
              type="number"
              inputMode={Number.isInteger(step) ? 'numeric' : 'decimal'}
              name={name}
              min={min}
              max={max}
              step={step}
              disabled={disabled}
              onBlur={onBlur}
              value={value ?? ''}
              onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)}
              className="machine w-full min-w-0 rounded-md outline-none bg-transparent px-2.5 [appearance:textfield] disabled:opacity-55 [&::-webkit-inner-spin-button]:appearance-none [&::-webkit-outer-spin-button]:appearance-none"
            />
            <button
              type="button"
              tabIndex={-1}
              aria-label={t`Decrease ${field.label}`}
              disabled={disabled || (value !== undefined && min !== undefined && value <= min)}
              onClick={() => move(-step)}
              className={`${stepButton} border-l border-line`}
            >
              <Minus className="size-3.5" />
            </button>
            <button
              type="button"
              tabIndex={-1}
              aria-label={t`Increase ${field.label}`}
              disabled={disabled || (value !== undefined && max !== undefined && value >= max)}
              onClick={() => move(step)}
              className={`${stepButton} border-l border-line`}
            >
              <Plus className="size-3.5" />
            </button>
          </div>
          {suffix && <span className="text-ui text-text-2">{suffix}</span>}
        </div>
      )}
    </Field>
  )
}
