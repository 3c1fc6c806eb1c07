import { t } from '@lingui/core/macro'
import { historyTab } from '#features/diagnosis/web/history-tab.tsx'
import { TracePanel } from '#features/diagnosis/web/trace-panel.tsx'
import { LicensePanel } from '#features/licenses/web/license-panel.tsx'
import { UserLicenses } from '#features/licenses/web/user-licenses.tsx'
import { SessionPanel } from '#features/program-sessions/web/session-panel.tsx'
import { UserSessions } from '#features/program-sessions/web/user-sessions.tsx'
import { UserPanel } from '#features/users/web/user-panel.tsx'
import type { PanelSubject } from '../panel/panel-address.ts'
import { SidePanel } from '../panel/side-panel.tsx'

interface RecordPanelProps {
  subject: PanelSubject
  onClose: () => void
}

/** The panel of a license, user, session, machine, or IP address, with the tabs that features add. */
export function RecordPanel({ subject, onClose }: RecordPanelProps) {
  return (
    <SidePanel subject={subject} onClose={onClose}>
      <Content {...subject} />
    </SidePanel>
  )
}

function Content({ kind, id }: PanelSubject) {
  if (kind === 'license') {
    return <LicensePanel licenseKey={id} tabs={(license) => [historyTab(id, JSON.stringify(license))]} />
  }
  if (kind === 'user') {
    return (
      <UserPanel
        username={id}
        tabs={(user) => [
          historyTab(user.username, JSON.stringify(user)),
          { value: 'licenses', label: t`Licenses`, content: <UserLicenses username={user.username} /> },
          { value: 'sessions', label: t`Sessions`, content: <UserSessions username={user.username} /> },
        ]}
      />
    )
  }
  if (kind === 'session') return <SessionPanel sessionId={id} />
  return <TracePanel kind={kind} id={id} />
}
