import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CopiedFact, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { PanelRecord } from '#web/panel/panel-record.tsx'
import { Button } from '#web/ui/button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { AlertDetails } from './alert-details.tsx'
import { kindTexts } from './alert-kind-texts.ts'
import { alertActions, AlertSeverityBadge, AlertStatusBadge } from './alerts-columns.tsx'
import { type Alert, alertQuery } from './alerts-data.ts'

/** An alert: what raised it, its evidence with links to everybody and everything in it, and the decision. */
export function AlertPanel({ alertId }: { alertId: string }) {
  return (
    <PanelRecord
      query={useQuery(alertQuery(alertId))}
      record={({ alert }) => alert}
      kind={t`Alert`}
      name={alertId}
      failure={t`Failed to load the alert`}
      parts={(alert: Alert) => ({
        name: i18n._(kindTexts[alert.type].title),
        recentName: `${i18n._(kindTexts[alert.type].title)} ${alert.details.key}`,
        badge: <AlertStatusBadge status={alert.status} />,
        actions: <Actions alert={alert} />,
        details: (
          <>
            <Facts alert={alert} />
            <AlertDetails alert={alert} />
          </>
        ),
        dialog: null,
      })}
    />
  )
}

const Actions = ({ alert }: { alert: Alert }) =>
  alertActions(alert).map(({ label, icon, onSelect }) => (
    <Button key={label} icon={icon} onClick={onSelect}>
      {label}
    </Button>
  ))

function Facts({ alert: { alertId, type, severity, timestamp, details } }: { alert: Alert }) {
  return (
    <PanelFacts>
      <PanelFact name={t`Severity`}>
        <AlertSeverityBadge severity={severity} />
      </PanelFact>
      <PanelFact name={t`Raised`}>
        <TimeAgo at={timestamp} />
      </PanelFact>
      <PanelFact name={t`Last activity`}>
        <TimeAgo at={details.lastAt} />
      </PanelFact>
      <PanelFact name={t`Type`}>
        <MachineText value={type} />
      </PanelFact>
      <CopiedFact name={t`Alert ID`} value={alertId} copyLabel={t`Copy alert ID`}>
        <MachineText value={alertId} shape="plain" />
      </CopiedFact>
    </PanelFacts>
  )
}
