import { plural, t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { callName, logLine } from '#features/logs/web/logs-data.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Moment } from '#web/ui/time-ago.tsx'
import { foldEvents, type FoldedEvent } from './folded-events.ts'
import { RejectionDecision } from './rejection-decision.tsx'
import type { Diagnosis, DiagnosisEvent } from './why-data.ts'
import { actorText, eventText } from './why-texts.ts'
import { clockText, dayText } from './why-times.ts'

/** Whether an event is the one that decides now: the last rejection by the rule, else the action that caused it. */
function isDeciding({ verdict, rejection }: Diagnosis, { ids, event }: FoldedEvent): boolean {
  if (rejection) return ids.includes(rejection.id)
  if (verdict?.eventId) return ids.includes(verdict.eventId)
  const cause = verdict?.state === 'rejected' ? verdict.decision?.cause : null
  return cause !== null && cause !== undefined && event.act === cause.act && event.timestamp === cause.timestamp
}

/** What programs did and what was done to the customer, newest first, by day. */
export function Timeline({ diagnosis, isNarrow = false }: { diagnosis: Diagnosis; isNarrow?: boolean }) {
  const { events, hasMore } = diagnosis
  const timeZone = useTimeZone()
  const days = foldEvents(events, timeZone)
  return (
    <section
      aria-label={t`What happened`}
      className={`min-w-0 rounded-lg border border-line bg-surface-1 pb-1 ${isNarrow ? '' : 'lg:self-start'}`}
    >
      <h2 className="px-4 pt-3.5 pb-1 text-section font-semibold">{t`What happened`}</h2>
      {events.length === 0 && (
        <p className="px-4 pb-3 text-ui text-text-2">{t`No history yet: no program has used it, and no one has changed it.`}</p>
      )}
      {days.map(({ at, rows }) => (
        <div key={at}>
          <h3 className="border-b border-line px-4 pt-3 pb-1 text-meta font-medium text-text-2">
            {dayText(at, timeZone)}
          </h3>
          <ol>
            {rows.map((row) => (
              <Row key={row.event.id} row={row} diagnosis={diagnosis} isNarrow={isNarrow} />
            ))}
          </ol>
        </div>
      ))}
      {hasMore && <p className="px-4 py-2.5 text-meta text-text-3">{t`Only the 100 newest entries are shown.`}</p>}
    </section>
  )
}

const narrowGrid = 'grid grid-cols-[64px_minmax(0,1fr)] gap-x-3'
const grid = `${narrowGrid} sm:grid-cols-[64px_minmax(0,1fr)_minmax(0,256px)]`

interface RowProps {
  row: FoldedEvent
  diagnosis: Diagnosis
  isNarrow: boolean
}

function Row({ row, diagnosis, isNarrow }: RowProps) {
  const { event, ids, first, last } = row
  const { code, decision } = event
  const timeZone = useTimeZone()
  const [open, setOpen] = useState(false)
  const id = useId()
  const deciding = isDeciding(diagnosis, row)
  const from = clockText(first, timeZone)
  const to = clockText(last, timeZone)
  const count = ids.length
  return (
    <li
      className={`border-b border-line last:border-b-0 ${deciding ? 'bg-surface-2 shadow-[inset_2px_0_0_var(--color-danger)]' : ''}`}
    >
      <div className={`${isNarrow ? narrowGrid : grid} items-start px-4 py-2 text-ui`}>
        <Moment at={last} className="text-text-2 tabular-nums">
          {to}
        </Moment>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <Mark event={event} />
          {event.act === '' ? (
            <ProgramLine event={event} diagnosis={diagnosis} />
          ) : (
            <ActLine event={event} diagnosis={diagnosis} />
          )}
          {count > 1 && (
            <span className="text-text-2">
              {from === to
                ? plural(count, { one: '# time', other: '# times' })
                : plural(count, { one: '# time', other: `# times between ${from} and ${to}` })}
            </span>
          )}
          {deciding && (
            <span className="font-medium text-danger">{diagnosis.rejection ? t`This rejection` : t`Decides`}</span>
          )}
          {decision && (
            <button
              type="button"
              aria-expanded={open}
              aria-controls={id}
              onClick={() => setOpen(!open)}
              className="inline-flex items-center gap-1 rounded-sm text-text-2 hover:text-text pointer-coarse:min-h-11"
            >
              <ChevronDown aria-hidden="true" className={`size-3.5 transition-transform ${open ? '' : '-rotate-90'}`} />
              {t`Rule`}
            </button>
          )}
        </div>
        <Where event={event} isNarrow={isNarrow} />
      </div>
      {decision && (
        <div id={id} hidden={!open} className="px-4 pb-3 sm:pl-[92px]">
          {open && <RejectionDecision code={code} decision={decision} />}
        </div>
      )}
    </li>
  )
}

function Mark({ event: { act, code } }: { event: DiagnosisEvent }) {
  if (code !== '') return <Badge tone="danger" dot="slashed">{t`Rejected`}</Badge>
  const color = act === '' ? 'bg-line-strong' : 'bg-info'
  return <span aria-hidden="true" className={`size-1.5 shrink-0 rounded-full ${color}`} />
}

interface LineProps {
  event: DiagnosisEvent
  diagnosis: Diagnosis
}

function ActLine({ event, diagnosis }: LineProps) {
  const { act, target } = event
  return (
    <>
      <span className="wrap-anywhere">
        <span className="font-medium">{eventText(act)}</span> <span className="text-text-2">{actorText(event)}</span>
      </span>
      {!isNamed(target, diagnosis) &&
        (act.startsWith('license.') ? <PanelLink kind="license" id={target} /> : <PanelLink kind="user" id={target} />)}
    </>
  )
}

function ProgramLine({ event, diagnosis }: LineProps) {
  const { call, code, credential, licenseKey } = event
  return (
    <>
      <span className={`wrap-anywhere ${code === '' ? '' : 'font-medium'}`}>{logLine(event)}</span>
      {code !== '' && <span className="text-text-2">{callName(call)}</span>}
      {credential !== '' &&
        !isNamed(credential, diagnosis) &&
        (credential === licenseKey ? (
          <PanelLink kind="license" id={credential} />
        ) : (
          <PanelLink kind="user" id={credential} />
        ))}
    </>
  )
}

/** The facts of the page name the customer already. */
const isNamed = (name: string, { customer, license, user }: Diagnosis): boolean =>
  name === customer || name === license?.licenseKey || name === user?.username

function Where({ event, isNarrow }: { event: DiagnosisEvent; isNarrow: boolean }): ReactNode {
  const { device, ip, country, session, act } = event
  if (act !== '' || (device === '' && ip === '' && country === '' && session === '')) return null
  return (
    <div
      className={`col-start-2 flex min-w-0 flex-wrap gap-x-2.5 gap-y-0.5 text-meta text-text-3 ${isNarrow ? '' : 'sm:col-start-3 sm:justify-end'}`}
    >
      {device !== '' && <PanelLink kind="device" id={device} />}
      {ip !== '' && <PanelLink kind="address" id={ip} />}
      {country !== '' && <span>{country}</span>}
      {device === '' && ip === '' && session !== '' && <PanelLink kind="session" id={session} />}
    </div>
  )
}
