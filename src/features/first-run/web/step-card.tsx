import { type ReactNode, useId } from 'react'
import { Card } from '#web/ui/card.tsx'
import { StepMark, type StepState } from './step-mark.tsx'

interface StepCardProps {
  /** Only to be seen: the steps follow each other in the document. */
  number: number
  state: StepState
  title: string
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** A step of the Connect page. */
export function StepCard({ number, state, title, description, actions, children }: StepCardProps) {
  const id = useId()
  return (
    <Card className="relative overflow-hidden">
      <section aria-labelledby={id} className="p-4 sm:px-[18px] sm:py-4">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
          <div className="min-w-0 grow basis-64">
            <h2 id={id} className="flex gap-2 text-section font-semibold">
              <StepMark state={state} />
              <span>
                <span aria-hidden="true">{number}. </span>
                {title}
              </span>
            </h2>
            {description && <p className="mt-0.5 text-ui text-text-2">{description}</p>}
          </div>
          {actions}
        </div>
        {children && <div className="mt-3 min-w-0">{children}</div>}
      </section>
    </Card>
  )
}
