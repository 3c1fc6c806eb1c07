import { type ReactNode, useId } from 'react'

export interface SwitchRowProps {
  label: string
  /** One line about the effect on the program or its users. */
  consequence?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  name?: string
  /** Content below it, e.g. a conflict with another change. */
  notice?: ReactNode
  /** A field that is only shown while the switch is on. */
  children?: ReactNode
}

export function SwitchRow({ label, consequence, checked, onChange, disabled, name, notice, children }: SwitchRowProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 sm:grid-cols-[minmax(0,188px)_auto_minmax(0,1fr)] sm:gap-x-3">
        <label htmlFor={id} className="tap-target text-ui text-text-2 sm:pr-1">
          {label}
        </label>
        <span className="relative inline-flex h-[18px] w-8 pointer-coarse:my-3">
          <input
            id={id}
            type="checkbox"
            role="switch"
            name={name}
            checked={checked}
            disabled={disabled}
            aria-describedby={consequence ? `${id}-help` : undefined}
            onChange={(event) => onChange(event.target.checked)}
            className="peer tap-target h-[18px] w-8 appearance-none rounded-full border border-line-strong bg-surface-3 transition-colors duration-100 checked:border-accent-edge checked:bg-accent disabled:cursor-not-allowed disabled:opacity-45"
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-[3px] left-[3px] size-3 rounded-full bg-text-2 transition-transform duration-100 peer-checked:translate-x-3.5 peer-checked:bg-on-accent"
          />
        </span>
        {consequence && (
          <p id={`${id}-help`} className="text-meta text-text-3 max-sm:col-span-2 max-sm:pointer-coarse:-mt-2">
            {consequence}
          </p>
        )}
      </div>
      {notice}
      {checked && children}
    </div>
  )
}
