import { type ReactNode, useId } from 'react'

export interface SectionProps {
  title: string
  /** Its ID in the page, for `SectionAnchors`. */
  anchor?: string
  description?: ReactNode
  actions?: ReactNode
  /** Without it, the section only has its heading and actions. */
  children?: ReactNode
}

export function Section({ title, anchor, description, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section
      id={anchor}
      tabIndex={anchor === undefined ? undefined : -1}
      aria-labelledby={id}
      className="scroll-mt-(--anchors,0px) p-4 sm:px-[18px] sm:py-4"
    >
      <div className={`${children ? 'mb-3' : ''} flex flex-wrap items-start justify-between gap-3`}>
        <div>
          <h2 id={id} className="text-section font-semibold">
            {title}
          </h2>
          {description && <p className="text-ui text-text-2">{description}</p>}
        </div>
        {actions}
      </div>
      {children && <div className="flex flex-col gap-4">{children}</div>}
    </section>
  )
}
