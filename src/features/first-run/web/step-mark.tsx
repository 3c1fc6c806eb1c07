import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

export type StepState = 'done' | 'now' | 'later'

/** The state of a step as a line of a boot log, in words for screen readers. */
export function StepMark({ state }: { state: StepState }) {
  const mark = { done: 'ok', now: '··', later: '  ' }[state]
  const spoken = { done: t({ message: 'Done', context: 'step' }), now: t`Now`, later: t`Later` }[state]
  return (
    <>
      <span
        aria-hidden="true"
        translate="no"
        className={`machine whitespace-pre ${state === 'later' ? 'text-text-3' : 'text-accent-text'}`}
      >
        [{mark}]
      </span>
      <VisuallyHidden>{spoken}: </VisuallyHidden>
    </>
  )
}

function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}
