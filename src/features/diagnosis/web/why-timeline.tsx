import { t } from '@lingui/core/macro'
import { callName, logLine } from '#features/logs/web/logs-data.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { RejectionDecision } from './rejection-decision.tsx'
import type { Diagnosis, DiagnosisEvent } from './why-data.ts'
import { actorText, eventText } from './why-texts.ts'

/** Events, newest first. */
export function Timeline({ diagnosis: { events, hasMore } }: { diagnosis: Diagnosis }) {
  return (
    <section aria-label={t`What happened`} className="px-4 py-3.5">
      <h2 className="mb-2 text-section font-semibold">{t`What happened`}</h2>
      {events.length === 0 && (
        <p className="text-ui text-text-2">{t`No history yet: no program has used it, and no one has changed it.`}</p>
      )}
      <ol className="flex flex-col">
        {events.map((event) => (
          <TimelineEvent key={event.id} event={event} />
        ))}
      </ol>
      {hasMore && <p className="mt-2 text-meta text-text-3">{t`Only the 100 newest entries are shown.`}</p>}
    </section>
  )
}

function TimelineEvent({ event }: { event: DiagnosisEvent }) {
  const { timestamp, code, decision } = event
  return (
    <li className="border-t border-line py-2.5 first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-ui">
          {event.act === '' ? <ProgramLine event={event} /> : <ActOnIt event={event} />}
        </p>
        <TimeAgo at={timestamp} className="shrink-0 text-meta text-text-2" />
      </div>
      {decision && <RejectionDecision code={code} decision={decision} />}
    </li>
  )
}

function ActOnIt({ event }: { event: DiagnosisEvent }) {
  const { act, target } = event
  return (
    <>
      <span>
        <span className="font-medium">{eventText(act)}</span> <span className="text-text-2">{actorText(event)}</span>
      </span>
      <MachineText value={target} className="break-all text-text-3" />
    </>
  )
}

function ProgramLine({ event }: { event: DiagnosisEvent }) {
  const { call, code, credential, device, ip, country } = event
  const known = [credential, device, ip, country].filter((text) => text !== '')
  return (
    <>
      {code !== '' && <Badge tone="danger" dot="slashed">{t`Rejected`}</Badge>}
      <span className="font-medium">{logLine(event)}</span>
      {code !== '' && <span className="text-text-2">{callName(call)}</span>}
      {known.map((text) => (
        <MachineText key={text} value={text} className="break-all text-text-3" />
      ))}
    </>
  )
}
