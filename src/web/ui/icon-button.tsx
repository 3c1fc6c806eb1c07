import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Spinner } from './spinner.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** Accessible name and tooltip. */
  label: string
  /** Omit it where the class draws one. */
  icon?: ReactNode
  size?: 'sm' | 'md'
  busy?: boolean
}

const ignore = (event: MouseEvent) => event.preventDefault()

/** Disabled or busy, it only looks and acts so: one that a click disables, as on the last page, keeps the focus. */
export function IconButton(props: IconButtonProps) {
  const { label, icon, size = 'md', busy, disabled, onClick, className = '', ...rest } = props
  const blocked = disabled || busy
  const box =
    size === 'sm'
      ? 'tap-target size-6 pointer-coarse:size-8 [&_svg]:size-3.5'
      : 'size-8 pointer-coarse:size-11 [&_svg]:size-4'
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-busy={busy || undefined}
      aria-disabled={blocked || undefined}
      onClick={blocked ? ignore : onClick}
      data-tip={label}
      className={`inline-flex shrink-0 items-center justify-center rounded-md text-text-2 transition-colors duration-100 not-aria-disabled:hover:bg-surface-2 not-aria-disabled:hover:text-text aria-disabled:cursor-not-allowed not-aria-busy:aria-disabled:opacity-45 ${box} ${className}`}
    >
      {busy ? <Spinner /> : icon}
    </button>
  )
}
