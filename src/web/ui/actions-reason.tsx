interface ActionsReasonProps {
  /** For `aria-describedby` of the button. */
  id: string
  /** Nothing is shown without one. */
  reason: string | undefined
}

/**
 * Why a button of the page's header can't act, in a line below it: the line of the buttons scrolls on phones, and this one
 * is whole.
 */
export const ActionsReason = ({ id, reason }: ActionsReasonProps) =>
  reason !== undefined && (
    <p id={id} data-print="no" className="-mt-2 mb-3 text-right text-meta text-text-2 max-sm:mt-0 max-sm:text-left">
      {reason}
    </p>
  )
