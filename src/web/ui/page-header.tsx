import type { ReactNode } from 'react'

export interface PageHeaderProps {
  title: string
  /** One line below the title. */
  description?: ReactNode
  /** A badge next to the title. */
  badge?: ReactNode
  /** Buttons, the primary one last; on phones one line that scrolls, the primary one first. */
  actions?: ReactNode
  /** A menu instead of buttons, next to the title on all screens. */
  menu?: ReactNode
}

/** The page's only h1; it gets the focus after a navigation. */
export function PageHeader({ title, description, badge, actions, menu }: PageHeaderProps) {
  return (
    <header
      className={`mb-4 flex items-center justify-between gap-x-4 gap-y-3 max-sm:mb-3 max-sm:gap-y-2 ${menu ? 'max-sm:flex-wrap' : 'flex-wrap'}`}
    >
      <div className="min-w-0 max-sm:contents">
        <div className={`flex min-w-0 items-center gap-3 ${menu ? 'max-sm:flex-1' : ''}`}>
          <h1 tabIndex={-1} className="min-w-0 truncate text-title font-semibold tracking-[-0.01em]">
            {title}
          </h1>
          {badge}
        </div>
        {description && (
          <p className="mt-0.5 text-ui text-text-2 max-sm:order-last max-sm:mt-0 max-sm:basis-full">{description}</p>
        )}
      </div>
      {menu}
      {actions && (
        <div
          data-print="no"
          data-page-actions=""
          className="flex flex-wrap items-center gap-2.5 max-sm:scroll-line max-sm:*:data-[variant=primary]:order-first"
        >
          {actions}
        </div>
      )}
    </header>
  )
}
