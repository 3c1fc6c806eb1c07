import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { AlertPanel } from '#features/alerts/web/alert-panel.tsx'
import { AuditPanel } from '#features/audit/web/audit-panel.tsx'
import { devicesTab, historyTab, sessionHistoryTab, whyTab } from '#features/diagnosis/web/diagnosis-tabs.tsx'
import { TracePanel } from '#features/diagnosis/web/trace-panel.tsx'
import { LicensePanel } from '#features/licenses/web/license-panel.tsx'
import type { License } from '#features/licenses/web/licenses-data.ts'
import { TimeSources } from '#features/licenses/web/time-sources.tsx'
import { UserLicenses } from '#features/licenses/web/user-licenses.tsx'
import { LogPanel } from '#features/logs/web/log-panel.tsx'
import type { Log } from '#features/logs/web/logs-data.ts'
import type { ProgramSession } from '#features/program-sessions/web/program-sessions-data.ts'
import { SessionPanel } from '#features/program-sessions/web/session-panel.tsx'
import { UserSessions } from '#features/program-sessions/web/user-sessions.tsx'
import { ResellerPanel } from '#features/resellers/web/reseller-panel.tsx'
import { UserPanel } from '#features/users/web/user-panel.tsx'
import type { User } from '#features/users/web/users-data.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import type { PanelSubject } from '../panel/panel-address.ts'
import { PanelPlaceholder, SidePanel } from '../panel/side-panel.tsx'
import { usePanel } from '../panel/use-panel.ts'
import type { Tab } from '../ui/tabs.tsx'

const AppContentPanel = lazyPart(() => import('./app-content-panel.tsx'), 'AppContentPanel')

interface RecordPanelProps {
  subject: PanelSubject
  onClose: () => void
}

/**
 * The panel of each kind, with the tabs that features add. Those of what an app is set up with are loaded with the first
 * of them.
 */
export function RecordPanel({ subject, onClose }: RecordPanelProps) {
  return (
    <SidePanel subject={subject} onClose={onClose}>
      <Content {...subject} />
    </SidePanel>
  )
}

function Content({ kind, id }: PanelSubject) {
  switch (kind) {
    case 'license':
      return <LicensePanel licenseKey={id} tabs={licenseTabs} />
    case 'user':
      return <UserPanel username={id} tabs={userTabs} timeSources={timeSources} />
    case 'session':
      return <SessionPanel sessionId={id} tabs={sessionTabs} />
    case 'alert':
      return <AlertPanel alertId={id} />
    case 'reseller':
      return <ResellerPanel username={id} />
    case 'log':
      return <LogPanel id={id} tabs={logTabs} />
    case 'audit':
      return <AuditPanel id={id} isPlatform={false} />
    case 'device':
    case 'address':
      return <TracePanel kind={kind} id={id} />
    case 'file':
    case 'subscription':
    case 'webhook':
    case 'seller-key':
    case 'variable':
      return <LaterPanel kind={kind} id={id} />
  }
}

function LaterPanel(subject: PanelSubject) {
  const { open, close } = usePanel()
  return (
    <AppContentPanel
      {...subject}
      placeholder={<PanelPlaceholder kind={t`Loading…`} name={subject.id} />}
      onFailed={close}
      onReopen={() => open(subject)}
    />
  )
}

// The tabs stand in the same order everywhere; a thing has those that have content for it.

const sessionsTab = (username: string): Tab => ({
  value: 'sessions',
  label: t`Sessions`,
  content: <UserSessions username={username} />,
})

function licenseTabs(license: License): Tab[] {
  const about = { search: license.license, version: JSON.stringify(license) }
  const { usedBy } = license
  const ofUser = usedBy === '' ? [] : [sessionsTab(usedBy), devicesTab(about)]
  return [historyTab(about), ...ofUser, whyTab(about)]
}

function userTabs(user: User): Tab[] {
  const { username } = user
  const about = { search: username, version: JSON.stringify(user) }
  const licenses = { value: 'licenses', label: t`Licenses`, content: <UserLicenses username={username} /> }
  return [historyTab(about), licenses, sessionsTab(username), devicesTab(about), whyTab(about)]
}

const timeSources = ({ username, paused }: User, level: number): ReactNode => (
  <TimeSources username={username} paused={paused} level={level} />
)

function sessionTabs({ session_id: sessionId, verifiedUser, ip }: ProgramSession): Tab[] {
  const history = sessionHistoryTab({ sessionId, search: verifiedUser ?? ip })
  return verifiedUser === null ? [history] : [history, whyTab({ search: verifiedUser })]
}

/** The customer of the entry; the support code of a rejection finds exactly it. */
function logTabs({ code, credential, license, ip, requestId }: Log): Tab[] {
  const search = credential || license || ip
  const history = search === '' ? [] : [historyTab({ search })]
  return code === '' || search === '' ? history : [...history, whyTab({ search: requestId || search })]
}
