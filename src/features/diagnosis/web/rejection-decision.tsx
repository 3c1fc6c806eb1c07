import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RejectionRule } from '#features/logs/web/rejection-rule.tsx'
import { Moment } from '#web/ui/time-ago.tsx'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { Badge } from '#web/ui/badge.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import type { PastEvent, Decision } from './why-data.ts'
import { actorText, eventText, fixLink } from './why-texts.ts'

/** The rule that rejected a program: the state at that time, the current state, and where to change it. */
export function RejectionDecision({ code, decision }: { code: string; decision: Decision }) {
  const { cause, change, stillApplies } = decision
  const link = fixLink(decision, code)
  return (
    <div className="mt-1.5 rounded-md border border-line bg-surface-0 px-3 py-2.5">
      <RejectionRule code={code} />
      <dl className="mt-2 grid gap-x-4 gap-y-1 text-ui sm:grid-cols-[auto_minmax(0,1fr)]">
        <Facts decision={decision} />
        {cause && (
          <Fact name={t`Reason`}>
            <EventLine act={cause} />
          </Fact>
        )}
        {code === 'LICENSE_BANNED' && !cause && (
          <Fact name={t`Reason`}>{t`It was banned together with others, so its own history has no entry.`}</Fact>
        )}
        {change && (
          <Fact name={t`Since then`}>
            <EventLine act={change} />
          </Fact>
        )}
        {stillApplies !== null && (
          <Fact name={t`Now`}>
            {stillApplies ? (
              <Badge tone="danger" dot="slashed">{t`Would be rejected again`}</Badge>
            ) : (
              <Badge tone="ok" dot="filled">{t`No longer rejected for this reason`}</Badge>
            )}
          </Fact>
        )}
      </dl>
      {link && (
        <Link
          to={link.to}
          search={link.search}
          state={(state) => ({ ...state, ...(link.user && { selectedUser: link.user }) })}
          className={`${buttonStyle({})} mt-2.5`}
        >
          {link.label}
        </Link>
      )}
    </div>
  )
}

function Facts({
  decision: { stored, sent, until, levels = [], usedBy = '', usedAt, ...more },
}: {
  decision: Decision
}) {
  const { version, minHwidLength } = more
  const names = levels.join(', ')
  return (
    <>
      {sent !== undefined && (
        <>
          <Fact name={t`Bound machine`}>{stored === '' ? t`None now` : <Machine text={stored ?? ''} />}</Fact>
          <Fact name={t`Requesting machine`}>
            <Machine text={sent} />
          </Fact>
        </>
      )}
      {names !== '' && <Fact name={levels.length === 1 ? t`Level` : t`Levels`}>{names}</Fact>}
      {typeof until === 'number' && (
        <Fact name={t`Expired on`}>
          <When at={until} />
        </Fact>
      )}
      {usedBy !== '' && (
        <Fact name={t`Redeemed by`}>
          <Machine text={usedBy} /> {typeof usedAt === 'number' && <When at={usedAt} />}
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
  <span translate="no" className="machine break-all">
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
function EventLine({ act }: { act: PastEvent }) {
  return (
    <>
      {eventText(act.act)} <span className="text-text-2">{actorText(act)}</span> <When at={act.timestamp} />
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
