import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { useMemo } from 'react'
import type { App } from '#web/session.ts'
import type { Column } from '#web/table/column.ts'
import { Badge } from '#web/ui/badge.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { TimeAgo } from '#web/time/time-ago.tsx'
import { AppActions, type AppActionHandlers } from './app-actions.tsx'
import { appStatus } from './app-status.ts'

function StatusBadge({ app }: { app: App }) {
  switch (appStatus(app)) {
    case 'enabled':
      return <Badge tone="ok" dot="filled">{t`Enabled`}</Badge>
    case 'disabled':
      return <Badge tone="warn" dot="ring">{t`Disabled`}</Badge>
    default:
      return <Badge dot="dashed">{t`Unknown`}</Badge>
  }
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
      { id: 'version', header: t`Version`, width: 100, cell: (app) => <MachineText value={app.version || '1.0.0'} /> },
      { id: 'status', header: t`Status`, width: 120, card: 'aside', cell: (app) => <StatusBadge app={app} /> },
      {
        id: 'created',
        header: t`Created`,
        width: 140,
        sortable: true,
        cell: (app) => <TimeAgo at={app.creationDate} />,
      },
      { id: 'current', header: t`Current`, width: 100, cell: (app) => <CurrentCell isCurrent={isCurrent(app)} /> },
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
