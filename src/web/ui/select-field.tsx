import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean
  /** A user-defined name, which browsers must not translate. */
  isName?: boolean | undefined
}

export interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, keyof FieldProps | 'children'> {
  options: readonly SelectOption[]
  /** Grouped options below the others, each group under its label. */
  groups?: readonly { label: string; options: readonly SelectOption[] }[]
  /** Text while nothing is selected. */
  placeholder?: string
  suffix?: ReactNode
}

const optionElement = ({ value, label, disabled, isName }: SelectOption) => (
  <option key={value} value={value} disabled={disabled} translate={isName ? 'no' : undefined}>
    {label}
  </option>
)

/** A native select: works well on phones and with screen readers, and adds no code. */
export function SelectField({ options, groups = [], placeholder, suffix, ...props }: SelectFieldProps) {
  const { field, input } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(wiring) => (
        <div className="flex items-center gap-2.5">
          <div className="relative min-w-0 grow">
            <select
              {...input}
              {...wiring}
              className="control h-8 w-full min-w-0 appearance-none pr-8 pl-2.5 text-ui pointer-coarse:h-11"
            >
              {placeholder !== undefined && <option value="">{placeholder}</option>}
              {options.map(optionElement)}
              {groups.map((group) => (
                <optgroup key={group.label} label={group.label}>
                  {group.options.map(optionElement)}
                </optgroup>
              ))}
            </select>
            <ChevronDown className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-text-3" />
          </div>
          {suffix && <span className="shrink-0 text-meta text-text-2">{suffix}</span>}
        </div>
      )}
    </Field>
  )
}
