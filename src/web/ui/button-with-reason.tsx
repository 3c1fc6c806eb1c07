import { useId } from 'react'
import { Button, type ButtonProps } from './button.tsx'

interface ButtonWithReasonProps extends ButtonProps {
  /** The reason already stands on the screen. */
  reasonShown?: boolean
}

/** For a line of buttons: a disabled one is preceded by its reason. The button stays the same, so it keeps the focus. */
export function ButtonWithReason({ reasonShown = false, ...button }: ButtonWithReasonProps) {
  const id = useId()
  const { disabledReason } = button
  const isShown = disabledReason !== undefined && !reasonShown
  return (
    <>
      {isShown && (
        <span id={id} data-reason="" className="min-w-0 self-center text-meta text-text-2">
          {disabledReason}
        </span>
      )}
      <Button {...button} aria-describedby={isShown ? id : undefined} />
    </>
  )
}
