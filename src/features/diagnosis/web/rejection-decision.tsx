import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { RejectionRule } from '#features/logs/web/rejection-rule.tsx'
import { Moment } from '#web/ui/time-ago.tsx'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import type { PastEvent, Decision } from './why-data.ts'
import { actorText, eventText } from './why-texts.ts'

interface DecisionFactsProps {
  code: string
  decision: Decision
  /** Only what the facts about the customer don't say. */
  isShort?: boolean
}

/** What decided and what has changed since; nothing if only the rule is known. */
export function DecisionFacts({ code, decision, isShort = false }: DecisionFactsProps) {
  const { cause, change } = decision
  return (
    <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-ui empty:hidden">
      <Facts decision={decision} isShort={isShort} />
      {cause && (
        <Fact name={t`Reason`}>
          <EventLine event={cause} />
        </Fact>
      )}
      {code === 'LICENSE_BANNED' && !cause && (
        <Fact name={t`Reason`}>{t`It was banned together with others, so its own history has no entry.`}</Fact>
      )}
      {change && (
        <Fact name={t`Since then`}>
          <EventLine event={change} />
        </Fact>
      )}
    </dl>
  )
}

/** The rule behind one rejection of the timeline. */
export function RejectionDecision({ code, decision }: { code: string; decision: Decision }) {
  const { stillApplies } = decision
  return (
    <div className="rounded-md border border-line bg-surface-0 px-3 py-2.5">
      <RejectionRule code={code} />
      <DecisionFacts code={code} decision={decision} />
      {stillApplies !== null && (
        <p className="mt-2">
          {stillApplies ? (
            <Badge tone="danger" dot="slashed">{t`Would be rejected again`}</Badge>
          ) : (
            <Badge tone="accent" dot="filled">{t`No longer rejected for this reason`}</Badge>
          )}
        </p>
      )}
    </div>
  )
}

function Facts({ decision, isShort }: { decision: Decision; isShort: boolean }) {
  const { stored, sent, until, levels = [], usedBy = '', usedAt, version, minHwidLength } = decision
  const names = levels.join(', ')
  return (
    <>
      {sent !== undefined && !isShort && (
        <Fact name={t`Bound machine`}>{stored ? <PanelLink kind="device" id={stored} /> : t`None now`}</Fact>
      )}
      {sent && (
        <Fact name={t`Requesting machine`}>
          <PanelLink kind="device" id={sent} />
        </Fact>
      )}
      {names !== '' && !isShort && <Fact name={levels.length === 1 ? t`Level` : t`Levels`}>{names}</Fact>}
      {typeof until === 'number' && !isShort && (
        <Fact name={t`Expired on`}>
          <When at={until} />
        </Fact>
      )}
      {usedBy !== '' && !isShort && (
        <Fact name={t`Redeemed by`}>
          <PanelLink kind="user" id={usedBy} /> {typeof usedAt === 'number' && <When at={usedAt} />}
        </Fact>
      )}
      {version !== undefined && (
        <Fact name={t`Version in Settings`}>
          <Machine text={version} />
        </Fact>
      )}
      {minHwidLength !== undefined && <Fact name={t`Minimum HWID length`}>{minHwidLength}</Fact>}
    </>
  )
}

const Machine = ({ text }: { text: string }) => (
  <span translate="no" className="machine wrap-anywhere">
    {text}
  </span>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-2">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)

/** `License banned by marta on Nov 3, 14:02` */
function EventLine({ event }: { event: PastEvent }) {
  return (
    <>
      {eventText(event.act)} <span className="text-text-2">{actorText(event)} ·</span> <When at={event.timestamp} />
    </>
  )
}

function When({ at }: { at: number }) {
  const timeZone = useTimeZone()
  return (
    <Moment at={at} className="text-text-2">
      {dateTimeText(at, timeZone)}
    </Moment>
  )
}
