import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { notify } from '../browser/notify.ts'
import { Spinner } from './spinner.tsx'

/** A filled button that can't act loses its fill, so that it doesn't look pressed. Busy, it keeps it. */
const off =
  'not-aria-busy:aria-disabled:border-line not-aria-busy:aria-disabled:bg-surface-2 not-aria-busy:aria-disabled:text-text-3'
const faded = 'aria-disabled:opacity-55'

export const buttonStyle = cva(
  [
    'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border',
    'text-ui font-medium transition-colors duration-100 [&_svg]:size-4 [&_svg]:shrink-0',
    'aria-disabled:cursor-not-allowed',
    'pointer-coarse:min-h-11',
  ],
  {
    variants: {
      variant: {
        primary: [
          'border-accent-edge bg-accent font-semibold text-on-accent not-aria-disabled:hover:brightness-95',
          off,
        ],
        secondary: [
          'border-line bg-surface-1 text-text not-aria-disabled:hover:border-line-strong not-aria-disabled:hover:bg-surface-2 [&_svg]:text-text-2',
          faded,
        ],
        ghost: [
          'border-transparent bg-transparent text-text-2 not-aria-disabled:hover:bg-surface-2 not-aria-disabled:hover:text-text',
          faded,
        ],
        danger: [
          'border-line bg-surface-1 text-danger not-aria-disabled:hover:border-danger not-aria-disabled:hover:bg-surface-2',
          faded,
        ],
        'danger-solid': [
          'border-danger-solid bg-danger-solid font-semibold text-white not-aria-disabled:hover:brightness-95',
          off,
        ],
      },
      size: { sm: 'h-7 px-2.5', md: 'h-8 px-3', lg: 'h-10 px-4' },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
)

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {
  /** Only looks and acts so: a button that its own click disables keeps the focus. */
  disabled?: boolean
  /** Work in progress: the label stays (and so does the width), clicks do nothing, focus is kept. */
  busy?: boolean
  icon?: ReactNode
  /** Looks and acts disabled but stays focusable: the reason is its tooltip, and a toast when it is pressed. */
  disabledReason?: string
}

export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    busy = false,
    disabled = false,
    icon,
    disabledReason,
    className = '',
    children,
    onClick,
    ...rest
  } = props
  const blocked = busy || disabled || disabledReason !== undefined
  const explainBlock = (event: MouseEvent) => {
    event.preventDefault()
    // Touch screens have no tooltips.
    if (!busy && disabledReason !== undefined) notify.info(disabledReason)
  }
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={blocked || undefined}
      title={disabledReason ?? rest.title}
      data-variant={variant ?? undefined}
      onClick={blocked ? explainBlock : onClick}
      className={`${buttonStyle({ variant, size })} ${className}`}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}
