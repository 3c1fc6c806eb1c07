import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { Check, CircleCheckBig, Power, PowerOff, Settings, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { appVersion } from '#web/api/app-selection.ts'
import { paths } from '#web/navigation/paths.ts'
import type { App } from '#web/session/session.ts'
import type { Column } from '#web/table/column.ts'
import { Badge, badgeFrame } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { agoCells } from '#web/table/time-cells.tsx'
import { setAppEnabled } from './apps-data.ts'
import { appStatus } from './arrange-apps.ts'

const statusTexts = () => ({ enabled: t`Enabled`, disabled: t`Disabled`, unknown: t`Unknown` })

const statusLooks = {
  enabled: { tone: 'ok', dot: 'filled' },
  disabled: { tone: 'warn', dot: 'ring' },
  unknown: { tone: 'neutral', dot: 'dashed' },
} as const

function StatusBadge({ app }: { app: App }) {
  const status = appStatus(app)
  return <Badge {...statusLooks[status]}>{statusTexts()[status]}</Badge>
}

function NameCell({ app, isCurrent }: { app: App; isCurrent: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span className="min-w-0 truncate font-medium" title={app.description || undefined}>
        {app.appName}
      </span>
      {isCurrent && <Badge tone="info">{t`Current`}</Badge>}
    </span>
  )
}

function CurrentCell({ isCurrent }: { isCurrent: boolean }) {
  if (!isCurrent) return <span className="text-text-3">{t`No`}</span>
  return (
    <span className="flex items-center gap-1.5">
      <Check aria-hidden="true" className="size-4 text-accent-text" />
      {t`Yes`}
    </span>
  )
}

interface AppActionHandlers {
  onSelect: (app: App) => void
  onDisable: (app: App) => void
  onDelete: (app: App) => void
}

interface AppActionsProps extends AppActionHandlers {
  app: App
  isCurrent: boolean
}

/** Select, open the settings (of the current app only), disable or enable, and delete. */
function AppActions({ app, isCurrent, onSelect, onDisable, onDelete }: AppActionsProps) {
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

/** `handlers` must be stable. */
export function useAppColumns(currentId: string | undefined, handlers: AppActionHandlers): readonly Column<App>[] {
  return useMemo(() => {
    const isCurrent = (app: App) => app.appId === currentId
    return [
      {
        id: 'name',
        header: t`App Name`,
        width: 260,
        sortable: true,
        cell: (app) => <NameCell app={app} isCurrent={isCurrent(app)} />,
      },
      {
        id: 'version',
        header: t`Version`,
        width: 100,
        yields: 2,
        card: 1,
        cell: (app) => <MachineText value={appVersion(app)} />,
        cardCell: (app) => <MachineText value={`v${appVersion(app)}`} />,
      },
      {
        id: 'status',
        header: t`Status`,
        width: 120,
        needs: () => Object.values(statusTexts()),
        beside: badgeFrame,
        card: 'aside',
        cell: (app) => <StatusBadge app={app} />,
      },
      {
        id: 'created',
        header: t`Created`,
        width: 140,
        card: 2,
        sortable: true,
        ...agoCells((app) => app.creationDate),
      },
      {
        id: 'current',
        header: t`Current`,
        width: 100,
        yields: 1,
        card: 'hidden',
        cell: (app) => <CurrentCell isCurrent={isCurrent(app)} />,
      },
      {
        id: 'actions',
        header: t`Actions`,
        width: 164,
        align: 'end',
        hideable: false,
        cell: (app) => <AppActions app={app} isCurrent={isCurrent(app)} {...handlers} />,
      },
    ]
  }, [currentId, handlers])
}
