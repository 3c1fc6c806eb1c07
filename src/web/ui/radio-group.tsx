import { type ReactNode, useId } from 'react'

export interface RadioOption<V extends string> {
  value: V
  label: ReactNode
  help?: ReactNode
}

export interface RadioGroupProps<V extends string> {
  legend: string
  options: readonly RadioOption<V>[]
  value: V
  onChange: (value: V) => void
}

export function RadioGroup<V extends string>({ legend, options, value, onChange }: RadioGroupProps<V>) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-ui font-medium text-text">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex items-start gap-2.5 text-ui text-text pointer-coarse:py-[11px]">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-field checked:border-[5px] checked:border-accent-edge hover:border-text-2"
          />
          <span>
            {option.label}
            {option.help && <span className="block text-meta text-text-3">{option.help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
