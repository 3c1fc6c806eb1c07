import { CheckboxField } from './checkbox.tsx'

interface CheckboxGroupProps<V extends string> {
  legend: string
  /** Of the box that checks all of them or none. */
  allLabel: string
  /** Labels by value. */
  options: Readonly<Record<V, string>>
  value: ReadonlySet<V>
  onChange: (value: ReadonlySet<V>) => void
  error?: string | undefined
}

/** Any of some options. */
export function CheckboxGroup<V extends string>(props: CheckboxGroupProps<V>) {
  const { legend, options, value, onChange, error } = props
  const all = Object.keys(options) as V[]
  const isAll = value.size === all.length
  const toggled = (option: V) => new Set(all.filter((each) => (each === option ? !value.has(each) : value.has(each))))
  return (
    <fieldset>
      <legend className="mb-1.5 text-ui font-medium text-text">{legend}</legend>
      <div className="mb-2 border-b border-line pb-2">
        <CheckboxField
          label={props.allLabel}
          checked={isAll}
          indeterminate={!isAll && value.size > 0}
          onChange={() => onChange(new Set(isAll ? [] : all))}
        />
      </div>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2">
        {all.map((option) => (
          <CheckboxField
            key={option}
            label={options[option]}
            checked={value.has(option)}
            onChange={() => onChange(toggled(option))}
          />
        ))}
      </div>
      {error && (
        <p role="alert" className="mt-1.5 text-meta text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
