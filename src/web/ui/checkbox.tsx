import { type ComponentProps, type ReactNode, useCallback, useId } from 'react'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  indeterminate?: boolean
}

const boxStyle = [
  'box-tick tap-target size-4 shrink-0 appearance-none rounded-sm border border-line-strong bg-field align-middle',
  'checked:border-accent-edge checked:bg-accent indeterminate:border-accent-edge indeterminate:bg-accent',
  'hover:border-text-2 disabled:cursor-not-allowed disabled:opacity-45',
].join(' ')

/** Without a label; name it with `aria-label` or use `CheckboxField`. */
export function Checkbox({ indeterminate = false, className = '', ...props }: CheckboxProps) {
  const mark = useCallback(
    (box: HTMLInputElement | null) => {
      if (box) box.indeterminate = indeterminate
    },
    [indeterminate],
  )
  return <input {...props} ref={mark} type="checkbox" className={`${boxStyle} ${className}`} />
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
        <label htmlFor={id} className="tap-target text-ui text-text">
          {label}
        </label>
      </div>
      {help && (
        <p id={`${id}-help`} className="pl-6.5 text-meta text-text-3 pointer-coarse:-mt-2.5">
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
