import { type ReactNode, useId } from 'react'

/** Props of all fields besides those of the input. */
export interface FieldProps {
  label: string
  help?: ReactNode
  /** Error below the field, announced with it; marks the field invalid. */
  error?: string
  /** Content below the field, e.g. a conflict with another change. */
  notice?: ReactNode
  required?: boolean
  /** `row` puts the label to the left of the control, as on settings pages. */
  layout?: 'stack' | 'row'
  /** Hides the label visually. */
  hideLabel?: boolean
  className?: string
}

export interface ControlWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface FieldShellProps extends FieldProps {
  id?: string
  children: (wiring: ControlWiring) => ReactNode
}

/** Label, help and error around one control; the control gets its IDs from `children(wiring)`. */
export function Field(props: FieldShellProps) {
  const { label, help, error, notice, required, layout = 'stack', hideLabel, className = '', id, children } = props
  const ownId = useId()
  const controlId = id ?? ownId
  const describedBy = [help ? `${controlId}-help` : '', error ? `${controlId}-error` : ''].filter(Boolean).join(' ')
  const control = children({
    id: controlId,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required ? true : undefined,
  })
  const frame =
    layout === 'row'
      ? 'grid items-start gap-x-4 gap-y-1.5 sm:grid-cols-[minmax(0,184px)_minmax(0,1fr)]'
      : 'flex flex-col gap-1.5'
  const labelStyle = layout === 'row' ? 'text-ui text-text-2' : 'text-ui font-medium text-text'
  const labelFrame = layout === 'row' ? 'sm:pt-1.5' : undefined
  const helpText = help ? (
    <p id={`${controlId}-help`} className="text-meta text-text-3">
      {help}
    </p>
  ) : null
  return (
    <div className={`${frame} ${className}`}>
      <div className={hideLabel ? 'sr-only' : labelFrame}>
        <label htmlFor={controlId} className={labelStyle}>
          {label}
        </label>
      </div>
      <div className="flex min-w-0 flex-col gap-1.5">
        {control}
        {helpText}
        {error && (
          <p id={`${controlId}-error`} className="text-meta text-danger">
            {error}
          </p>
        )}
        {notice}
      </div>
    </div>
  )
}

/** Separates the props of a field from those of its input. */
export function splitFieldProps<P extends FieldProps & { id?: string }>(props: P) {
  const { label, help, error, notice, required, layout, hideLabel, className, id, ...input } = props
  return { field: { label, help, error, notice, required, layout, hideLabel, className, id }, input }
}
