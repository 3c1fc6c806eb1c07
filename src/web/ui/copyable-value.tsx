import type { ReactNode } from 'react'
import { CopyButton, type CopyButtonProps } from './copy-button.tsx'

/**
 * A value in a row with a copy button that takes no width until the value is pointed at or the button has the focus. On
 * touch screens the panel has the button.
 */
export function CopyableValue({
  children,
  ...copy
}: Pick<CopyButtonProps, 'text' | 'label'> & { children: ReactNode }) {
  return (
    <span className="group/copy flex min-w-0 items-center">
      <span className="min-w-0 truncate">{children}</span>
      <CopyButton
        {...copy}
        className="-my-1 w-0 overflow-hidden -outline-offset-2 group-hover/copy:w-6 focus-visible:w-6 pointer-coarse:hidden"
      />
    </span>
  )
}
