import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { lastHeartbeat } from '#features/session-store/session-store.rules.ts'
import { LoadFailed } from '#web/ui/empty-state.tsx'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { CopiedFact, CopiedName, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { PanelRecord } from '#web/panel/panel-record.tsx'
import { PanelPlaceholder } from '#web/panel/side-panel.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { DeleteSessionDialog } from './delete-sessions-dialog.tsx'
import { SessionStatus } from './program-sessions-columns.tsx'
import { type ProgramSession, sessionList } from './program-sessions-data.ts'

interface SessionPanelProps {
  sessionId: string
  /** Tabs of other features. */
  tabs: (session: ProgramSession) => readonly Tab[]
}

/** A running session of a program, which can be ended here. */
export function SessionPanel({ sessionId, tabs }: SessionPanelProps) {
  const { action, setAction, closeDeleted } = usePanel()
  return (
    <PanelRecord
      query={useQuery(sessionList.lookUp(sessionId))}
      record={({ sessions }) => sessions.find((each) => sessionList.rowId(each) === sessionId)}
      missing={
        <PanelPlaceholder kind={t`Session`} name={sessionId}>
          <LoadFailed message={t`This session has ended.`} />
        </PanelPlaceholder>
      }
      kind={t`Session`}
      name={sessionId}
      failure={t`Failed to load sessions`}
      parts={(session) => ({
        name: (
          <CopiedName name={sessionId} copyLabel={t`Copy session ID`}>
            <span translate="no" className="machine">
              {sessionId}
            </span>
          </CopiedName>
        ),
        badge: <SessionStatus row={session} />,
        actions: (
          <Button variant="danger" icon={<Trash2 />} onClick={() => setAction('delete')}>
            {t`Delete`}
          </Button>
        ),
        details: <Facts session={session} />,
        tabs: tabs(session),
        dialog: action === 'delete' && (
          <DeleteSessionDialog session={session} onDone={closeDeleted} onClose={() => setAction(undefined)} />
        ),
      })}
    />
  )
}

function Facts({ session }: { session: ProgramSession }) {
  const { verifiedUser: name, hwid, ip, country, created_at: created, expires_at: expires } = session
  return (
    <PanelFacts>
      <PanelFact name={t`User`}>
        {name === null ? <span className="text-text-2">{t`Not signed in`}</span> : <PanelLink kind="user" id={name} />}
      </PanelFact>
      <CopiedFact name={t`Device`} value={hwid} copyLabel={t`Copy HWID`}>
        <PanelLink kind="device" id={hwid} />
      </CopiedFact>
      <PanelFact name={t`IP Address`}>
        <PanelLink kind="address" id={ip} />
        <CopyButton text={ip} label={t`Copy IP address`} className="-my-1" />
        <CountryName code={country} />
      </PanelFact>
      <PanelFact name={t({ message: 'Created', context: 'session' })}>
        <TimeAgo at={created} />
      </PanelFact>
      <PanelFact name={t`Last Heartbeat`}>
        <TimeAgo at={lastHeartbeat(session)} />
      </PanelFact>
      <PanelFact name={t`Expires`}>
        <TimeLeft until={expires} />
      </PanelFact>
    </PanelFacts>
  )
}
