import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheckBig, Settings, Trash2 } from 'lucide-react'
import { paths } from '#web/paths.ts'
import type { App } from '#web/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

export interface AppActionHandlers {
  onSelect: (app: App) => void
  onDelete: (app: App) => void
}

interface AppActionsProps extends AppActionHandlers {
  app: App
  isCurrent: boolean
}

/** Select, open the settings (of the current app only, part 2 §2) and delete. */
export function AppActions({ app, isCurrent, onSelect, onDelete }: AppActionsProps) {
  const navigate = useNavigate()
  const { appName } = app
  return (
    <span className="inline-flex gap-0.5">
      {isCurrent ? (
        <IconButton
          data-current-settings
          label={t`Settings of ${appName}`}
          icon={<Settings />}
          onClick={() => void navigate({ to: paths.settings() })}
        />
      ) : (
        <IconButton label={t`Select ${appName}`} icon={<CircleCheckBig />} onClick={() => onSelect(app)} />
      )}
      <IconButton label={t`Delete ${appName}`} icon={<Trash2 />} onClick={() => onDelete(app)} />
    </span>
  )
}
