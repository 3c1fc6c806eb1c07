import { t } from '@lingui/core/macro'
import { RotateCw, SearchX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface FrameProps {
  icon: ReactNode
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** It offers the primary action of the page. */
  isFirstUse?: boolean
}

function Frame({ icon, title, children, actions, isFirstUse = false }: FrameProps) {
  return (
    <div
      data-first-use={isFirstUse ? '' : undefined}
      className="flex flex-col items-center gap-3 px-4 py-14 text-center text-balance"
    >
      <span className="corner-ticks flex size-12 items-center justify-center bg-surface-2 text-text-2 [&_svg]:size-5">
        {icon}
      </span>
      <p className="text-section font-semibold text-text">{title}</p>
      {children && <div className="max-w-md text-ui text-text-2">{children}</div>}
      {actions && <div className="mt-1 flex flex-wrap justify-center gap-2.5">{actions}</div>}
    </div>
  )
}

export interface EmptyStateProps {
  /** A lucide icon for the subject of the page. */
  icon: ReactNode
  title: ReactNode
  /** One sentence about its purpose; may be followed by a snippet. */
  children?: ReactNode
  /** The primary action, as a Button. */
  actions?: ReactNode
}

/** First use: there are no rows yet. */
export function EmptyState(props: EmptyStateProps) {
  return <Frame {...props} isFirstUse={props.actions !== undefined} />
}

export interface NoMatchProps {
  /** The searched text. */
  search?: string
  /** Replaces the default text. */
  title?: string | undefined
  onClear: () => void
}

/** There are rows, but the filters hide all of them. */
export function NoMatch({ search, title, onClear }: NoMatchProps) {
  return (
    <Frame
      icon={<SearchX />}
      title={title ?? (search ? t`No results for “${search}”` : t`No results for these filters`)}
      actions={<Button onClick={onClear}>{t`Clear filters`}</Button>}
    />
  )
}

export interface LoadFailedProps {
  message: string
  requestId?: string
  onRetry?: () => void
}

/** The list could not be loaded, or access is denied. */
export function LoadFailed({ message, requestId, onRetry }: LoadFailedProps) {
  return (
    <div role="alert">
      <Frame
        icon={<TriangleAlert />}
        title={message}
        actions={onRetry && <Button icon={<RotateCw />} onClick={onRetry}>{t`Retry`}</Button>}
      >
        {requestId && (
          <span translate="no" className="machine">
            {t`Request`} {requestId}
          </span>
        )}
      </Frame>
    </div>
  )
}
