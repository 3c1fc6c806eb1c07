import { t } from '@lingui/core/macro'
import { Info, X } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'

export function SelectedUserNotice({ user, onDismiss }: { user: string; onDismiss: () => void }) {
  return (
    <div
      role="status"
      className="mb-4 flex items-center gap-2 rounded-md border border-line bg-surface-2 px-3 py-1.5 text-ui"
    >
      <Info aria-hidden="true" className="size-4 shrink-0 text-info" />
      <span className="min-w-0 grow truncate">{t`Showing user: ${user}`}</span>
      <IconButton size="sm" label={t`Dismiss`} icon={<X />} onClick={onDismiss} />
    </div>
  )
}
