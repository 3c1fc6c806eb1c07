import { type ReactNode, useId } from 'react'

export interface SectionProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** Without it, the section only has its heading and actions. */
  children?: ReactNode
}

export function Section({ title, description, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="p-4 md:px-[18px] md:py-4">
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
