import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { PanelKind } from '#web/panel/panel-address.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { CopiedFact, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { PanelRecord } from '#web/panel/panel-record.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { preciseTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Button } from '#web/ui/button.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { RejectedBadge } from '#web/ui/rejected-badge.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { messageCall } from '../logs.rules.ts'
import { callName, type Log, logLine, logQuery } from './logs-data.ts'
import { RejectionRule } from './rejection-rule.tsx'

const DeleteLogDialog = lazyDialog(() => import('./logs-dialogs.tsx'), 'DeleteLogDialog')

interface LogPanelProps {
  id: string
  /** Tabs of other features. */
  tabs: (log: Log) => readonly Tab[]
}

/** An entry of the log: the rule that decided, all known facts, and where they lead. */
export function LogPanel({ id, tabs }: LogPanelProps) {
  const { action, setAction, closeDeleted } = usePanel()
  return (
    <PanelRecord
      query={useQuery(logQuery(id))}
      record={({ log }) => log}
      kind={t`Log entry`}
      name={id}
      failure={t`Failed to load the log entry`}
      parts={(log) => ({
        // A message can be long, so the details have it.
        name: log.call === messageCall ? callName(log.call) : logLine(log),
        badge: log.code !== '' && <RejectedBadge />,
        actions: (
          <Button variant="danger" icon={<Trash2 />} onClick={() => setAction('delete')}>
            {t`Delete`}
          </Button>
        ),
        details: <Details log={log} />,
        tabs: tabs(log),
        dialog: action === 'delete' && (
          <DeleteLogDialog log={log} onDone={closeDeleted} onClose={() => setAction(undefined)} />
        ),
      })}
    />
  )
}

function Details({ log }: { log: Log }) {
  const { call, code, message, credential, license, device, ip, country, session, requestId, timestamp } = log
  const timeZone = useTimeZone()
  return (
    <div className="flex flex-col gap-4">
      {code !== '' && <RejectionRule code={code} />}
      {call === messageCall && (
        <pre
          translate="no"
          className="machine max-h-60 overflow-auto rounded-md bg-surface-0 p-3 whitespace-pre-wrap break-words text-text"
        >
          {message}
        </pre>
      )}
      <PanelFacts>
        <PanelFact name={t`Date`}>
          <span className="tabular-nums">{preciseTimeText(timestamp, timeZone)}</span>
          <TimeAgo at={timestamp} className="text-text-2" />
        </PanelFact>
        <PanelFact name={t`Call`}>{callName(call)}</PanelFact>
        <Text name={t`Code`} text={code} copyLabel={t`Copy code`} />
        <Text name={t`Support code`} text={requestId} copyLabel={t`Copy support code`} />
        <Named name={t`Credential`} kind={credential === license ? 'license' : 'user'} id={credential} />
        {license !== credential && <Named name={t`License`} kind="license" id={license} />}
        <Named name={t`Device`} kind="device" id={device} />
        <Named name={t`IP Address`} kind="address" id={ip} />
        {country !== '' && (
          <PanelFact name={t`Country`}>
            <CountryName code={country} />
          </PanelFact>
        )}
        <Named name={t`Session ID`} kind="session" id={session} />
      </PanelFacts>
    </div>
  )
}

const Text = ({ name, text, copyLabel }: { name: string; text: string; copyLabel: string }) =>
  text === '' ? null : (
    <CopiedFact name={name} value={text} copyLabel={copyLabel}>
      <MachineText value={text} className="break-all" />
    </CopiedFact>
  )

/** A name that opens its panel, with a copy button. */
const Named = ({ name, kind, id }: { name: string; kind: PanelKind; id: string }) =>
  id === '' ? null : (
    <CopiedFact name={name} value={id} copyLabel={t`Copy`}>
      <PanelLink kind={kind} id={id} />
    </CopiedFact>
  )
