import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Check, RotateCcw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { fingerprintLength } from '#features/users/user-list.rules.ts'
import { PanelLink, quietName } from '#web/panel/panel-link.tsx'
import type { Column } from '#web/table/column.ts'
import { agoCells } from '#web/table/time-cells.tsx'
import { Badge, badgeFrame, type BadgeProps } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyableValue } from '#web/ui/copyable-value.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { type AlertDecision, type AlertSeverity, type AlertStatus, canResolve } from '../alerts.rules.ts'
import { kindTexts, severityTexts, statusTexts } from './alert-kind-texts.ts'
import { type Alert, decideAlerts } from './alerts-data.ts'

export const alertColumns = (): readonly Column<Alert>[] => [
  {
    id: 'severity',
    header: t`Severity`,
    width: 126,
    sortable: true,
    needs: () => Object.values(severityTexts).map((text) => i18n._(text)),
    beside: badgeFrame,
    card: 1,
    cell: ({ severity }) => <AlertSeverityBadge severity={severity} />,
  },
  {
    id: 'type',
    header: t`Type`,
    width: 200,
    // Its second line has narrower letters.
    needs: ({ type }) => [i18n._(kindTexts[type].title), type],
    twoLines: true,
    card: 'title',
    cell: ({ type }) => <Kind type={type} />,
    cardCell: ({ type }) => i18n._(kindTexts[type].title),
  },
  {
    id: 'time',
    header: t`Time`,
    width: 150,
    yields: 3,
    sortable: true,
    card: 2,
    ...agoCells((row) => row.timestamp),
  },
  {
    id: 'details',
    header: t`Details`,
    width: 350,
    card: 3,
    cell: (row) => <Details row={row} />,
    cardCell: ({ details: { reseller, ip, hwid } }) => {
      const origin = ip || hwid.slice(0, fingerprintLength)
      return reseller || (origin && <MachineText value={origin} />)
    },
  },
  {
    id: 'status',
    header: t`Status`,
    width: 120,
    needs: () => Object.values(statusTexts).map((text) => i18n._(text)),
    beside: badgeFrame,
    yields: 2,
    card: 'aside',
    cell: ({ status }) => <AlertStatusBadge status={status} />,
  },
  { id: 'actions', header: t`Actions`, width: 190, yields: 1, card: 'hidden', cell: (row) => <Actions row={row} /> },
]

const severityLooks: Record<AlertSeverity, Omit<BadgeProps, 'children'>> = {
  CRITICAL: { tone: 'danger', dot: 'filled' },
  HIGH: { tone: 'warn', dot: 'filled' },
  MEDIUM: { tone: 'info', dot: 'ring' },
  LOW: { tone: 'neutral', dot: 'dashed' },
}

export const AlertSeverityBadge = ({ severity }: { severity: AlertSeverity }) => (
  <Badge {...severityLooks[severity]}>{i18n._(severityTexts[severity])}</Badge>
)

const Kind = ({ type }: Pick<Alert, 'type'>) => (
  <span className="flex min-w-0 flex-col leading-tight">
    <span className="truncate text-text">{i18n._(kindTexts[type].title)}</span>
    <MachineText value={type} className="truncate text-meta text-text-3" />
  </span>
)

/** Longer than elsewhere. Lists find a machine by it all the same. */
const shownHashLength = 16

function Details({ row: { details } }: { row: Alert }) {
  const { userCount, ip, reseller } = details
  const hwid = details.hwid.slice(0, shownHashLength)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-text-2">
      {reseller !== '' && <PanelLink kind="reseller" id={reseller} className={quietName} />}
      {userCount > 0 && <span>{plural(userCount, { one: '# user', other: '# users' })}</span>}
      {ip !== '' && (
        <CopyableValue text={ip} label={t`Copy IP address`}>
          <PanelLink kind="address" id={ip} className={`${quietName} machine`} />
        </CopyableValue>
      )}
      {hwid !== '' && (
        <CopyableValue text={hwid} label={t`Copy HWID`}>
          <PanelLink kind="device" id={hwid.slice(0, fingerprintLength)} className={`${quietName} machine`}>
            {hwid}
          </PanelLink>
        </CopyableValue>
      )}
    </span>
  )
}

const statusLooks: Record<AlertStatus, Omit<BadgeProps, 'children'>> = {
  new: { tone: 'warn', dot: 'filled' },
  reviewed: { tone: 'ok', dot: 'ring' },
  dismissed: { tone: 'neutral', dot: 'slashed' },
}

export const AlertStatusBadge = ({ status }: { status: AlertStatus }) => (
  <Badge {...statusLooks[status]}>{i18n._(statusTexts[status])}</Badge>
)

/** What can be done with it now, for the menu of its row and its panel. */
export function alertActions(row: Alert): { label: string; icon: ReactNode; onSelect: () => void }[] {
  const decide = (action: AlertDecision) => () => void decideAlerts([row.alertId], action)
  if (!canResolve(row)) return [{ label: t`Reopen`, icon: <RotateCcw />, onSelect: decide('reopen') }]
  return [
    { label: t`Review`, icon: <Check />, onSelect: decide('review') },
    { label: t({ message: 'Dismiss', context: 'alert' }), icon: <X />, onSelect: decide('dismiss') },
  ]
}

/** Only new alerts have buttons. */
function Actions({ row }: { row: Alert }) {
  if (!canResolve(row)) return null
  return (
    <span className="-ml-2.5 flex gap-1">
      {alertActions(row).map(({ label, onSelect }) => (
        <Button key={label} variant="ghost" size="sm" onClick={onSelect}>
          {label}
        </Button>
      ))}
    </span>
  )
}
