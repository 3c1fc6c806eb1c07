import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheckBig, Power, PowerOff, Settings, Trash2 } from 'lucide-react'
import { paths } from '#web/paths.ts'
import type { App } from '#web/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { setAppEnabled } from './app-enabling.ts'
import { appStatus } from './app-status.ts'

export interface AppActionHandlers {
  onSelect: (app: App) => void
  onDisable: (app: App) => void
  onDelete: (app: App) => void
}

interface AppActionsProps extends AppActionHandlers {
  app: App
  isCurrent: boolean
}

/** Select, open the settings (of the current app only, part 2 §2), disable or enable, and delete. */
export function AppActions({ app, isCurrent, onSelect, onDisable, onDelete }: AppActionsProps) {
  const navigate = useNavigate()
  const { appName } = app
  const isDisabled = appStatus(app) === 'disabled'
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
      <IconButton
        label={isDisabled ? t`Enable ${appName}` : t`Disable ${appName}`}
        icon={isDisabled ? <Power /> : <PowerOff />}
        onClick={() => (isDisabled ? void setAppEnabled(app, true) : onDisable(app))}
      />
      <IconButton label={t`Delete ${appName}`} icon={<Trash2 />} onClick={() => onDelete(app)} />
    </span>
  )
}
