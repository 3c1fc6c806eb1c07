import { t } from '@lingui/core/macro'
import { Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'

interface NoticeProps {
  tone?: 'info' | 'danger'
  /** Dismisses it; without this, it stays as long as its reason. */
  onDismiss?: () => void
  children: ReactNode
}

/** A line above the content of a page that applies to all of it. */
export const Notice = ({ tone = 'info', onDismiss, children }: NoticeProps) => (
  <div
    role="status"
    className="mb-4 flex items-center gap-2 rounded-md border border-line bg-surface-2 px-3 py-1.5 text-ui"
  >
    {tone === 'info' ? (
      <Info aria-hidden="true" className="size-4 shrink-0 text-info" />
    ) : (
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
    )}
    <div className="min-w-0 grow py-0.5">{children}</div>
    {onDismiss && <IconButton size="sm" label={t`Dismiss`} icon={<X />} onClick={onDismiss} />}
  </div>
)
