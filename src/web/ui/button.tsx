import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, ReactNode } from 'react'
import { Spinner } from './spinner.tsx'

export const buttonStyle = cva(
  [
    'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border',
    'text-ui font-medium transition-colors duration-100 [&_svg]:size-4 [&_svg]:shrink-0',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    'pointer-coarse:min-h-11',
  ],
  {
    variants: {
      variant: {
        primary: 'border-accent-edge bg-accent font-semibold text-on-accent enabled:hover:brightness-95',
        secondary:
          'border-line bg-surface-1 text-text enabled:hover:border-line-strong enabled:hover:bg-surface-2 [&_svg]:text-text-2',
        ghost: 'border-transparent bg-transparent text-text-2 enabled:hover:bg-surface-2 enabled:hover:text-text',
        danger: 'border-line bg-surface-1 text-danger enabled:hover:border-danger enabled:hover:bg-surface-2',
        'danger-solid': 'border-danger-solid bg-danger-solid font-semibold text-white enabled:hover:brightness-95',
      },
      size: { sm: 'h-7 px-2.5', md: 'h-8 px-3', lg: 'h-10 px-4' },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
)

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {
  /** Work in progress: the label stays (and so does the width), clicks do nothing, focus is kept. */
  busy?: boolean
  icon?: ReactNode
  /** Looks and acts disabled but stays focusable, so that the reason can be read. */
  disabledReason?: string
}

export function Button(props: ButtonProps) {
  const { variant, size, busy = false, icon, disabledReason, className = '', children, onClick, ...rest } = props
  const blocked = busy || disabledReason !== undefined
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={blocked || undefined}
      title={disabledReason ?? rest.title}
      data-variant={variant ?? undefined}
      onClick={blocked ? (event) => event.preventDefault() : onClick}
      className={`${buttonStyle({ variant, size })} ${className}`}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}
