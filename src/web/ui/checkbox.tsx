import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  indeterminate?: boolean
}

const boxStyle = [
  'peer size-4 shrink-0 appearance-none rounded-sm border border-line-strong bg-field',
  'checked:border-accent-edge checked:bg-accent indeterminate:border-accent-edge indeterminate:bg-accent',
  'hover:border-text-2 disabled:cursor-not-allowed disabled:opacity-45',
].join(' ')

/** Without a label; name it with `aria-label` or use `CheckboxField`. */
export function Checkbox({ indeterminate = false, className = '', ...props }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <span className={`relative inline-flex size-4 shrink-0 align-middle ${className}`}>
      <input {...props} ref={box} type="checkbox" className={boxStyle} />
      <svg
        viewBox="0 0 16 16"
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 size-4 hidden text-on-accent peer-checked:block peer-indeterminate:block"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={indeterminate ? 'M4.5 8h7' : 'm4 8.3 2.7 2.7 5.3-5.8'} />
      </svg>
    </span>
  )
}

export interface CheckboxFieldProps extends CheckboxProps {
  label: ReactNode
  help?: ReactNode
  error?: string
  notice?: ReactNode
}

export function CheckboxField({ label, help, error, notice, ...props }: CheckboxFieldProps) {
  const id = useId()
  const describedBy = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2.5 pointer-coarse:py-2">
        <Checkbox
          {...props}
          id={id}
          aria-describedby={describedBy || undefined}
          aria-invalid={error ? true : undefined}
          className="mt-0.5"
        />
        <label htmlFor={id} className="text-ui text-text">
          {label}
        </label>
      </div>
      {help && (
        <p id={`${id}-help`} className="pl-6.5 text-meta text-text-3">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="pl-6.5 text-meta text-danger">
          {error}
        </p>
      )}
      {notice && <div className="pl-6.5">{notice}</div>}
    </div>
  )
}
