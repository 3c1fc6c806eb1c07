import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callQuery } from '#web/api/call-query.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText } from '#web/api/errors.ts'
import { appKey } from '#web/api/query-keys.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { nowSeconds } from '#web/time/clock.ts'
import { durationText, lengthLeftText, roundedTimeLeft } from '#web/time/time-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Sources = CallReply<'GET /user/{username}/time_sources'>['levels'][number]
type Source = Sources['licenses'][number]

/** Refreshed with the lists of users, whose key it shares. */
const timeSourcesQuery = (username: string) =>
  callQuery(appKey('users', 'time-sources', username), 'GET /user/{username}/time_sources', {
    params: { username },
    query: {},
  })

interface TimeSourcesProps {
  username: string
  paused: boolean
  level: number
}

/** Which licenses gave the time of a subscription, and what a ban of each takes: one line if it is only one. */
export function TimeSources({ username, paused, level }: TimeSourcesProps) {
  const { data, error, refetch } = useQuery(timeSourcesQuery(username))
  const sources = data?.levels.find((each) => each.level === level)
  if (!data && error)
    return (
      <Failed text={failureText(error, t`Failed to load where the time comes from`)} onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton className="my-1 h-3 w-40" />
  if (!sources) return null
  const { licenses, licenseCount, byHand } = sources
  const [only] = licenses
  if (licenseCount === 0) return <p className={line}>{t`Given by hand`}</p>
  const added = byHand?.left === 0 ? null : byHand
  if (licenseCount === 1 && only && !added) return <OnlyLicense source={only} />
  const more = licenseCount - licenses.length
  return (
    <ul aria-label={t`Where the time comes from`} className="pb-1">
      {licenses.map((source, index) => (
        <Part
          key={source.key ?? index}
          name={<LicenseName source={source} />}
          text={<PartTime {...{ source, paused }} />}
        />
      ))}
      {more > 0 && (
        <li className={line}>
          <PanelLink kind="user" id={username} tab="licenses">
            {plural(more, { one: '# more license', other: '# more licenses' })}
          </PanelLink>
        </li>
      )}
      {added && <Part name={t`Given by hand`} text={<LeftText left={added.left} paused={paused} />} />}
    </ul>
  )
}

const line = 'flex flex-wrap items-center gap-x-2 py-0.5 text-meta text-text-2'

function OnlyLicense({ source }: { source: Source }) {
  const name = <LicenseName source={source} />
  return (
    <p className={line}>
      <span className="min-w-0">
        <Trans>From {name}</Trans>
      </span>
      {source.banned && <BannedBadge />}
    </p>
  )
}

const Part = ({ name, text }: { name: ReactNode; text: ReactNode }) => (
  <li className={`${line} justify-between`}>
    <span className="min-w-0">{name}</span>
    <span className="flex items-center gap-2 tabular-nums">{text}</span>
  </li>
)

const LicenseName = ({ source: { key } }: { source: Source }) =>
  key === null ? t`Deleted license` : <PanelLink kind="license" id={key} />

const BannedBadge = () => (
  <Badge tone="danger" dot="slashed">
    {t({ message: 'Banned', context: 'license' })}
  </Badge>
)

function PartTime({ source: { given, left, banned }, paused }: { source: Source; paused: boolean }) {
  const returned = useRounded(left, paused)
  if (left === 0) {
    const length = durationText(given)
    return <span>{t`${length}, used up`}</span>
  }
  if (!banned) return <LeftText left={left} of={given} paused={paused} />
  const time = durationText(returned)
  return (
    <>
      <span>{returned === null ? time : t`Lifting the ban returns ${time}`}</span>
      <BannedBadge />
    </>
  )
}

/** Seconds as the subscription shows its time: in calendar days, unless a pause stops it. */
function useRounded(seconds: number | null, paused: boolean): number | null {
  const timeZone = useTimeZone()
  const now = nowSeconds()
  return seconds === null || paused ? seconds : roundedTimeLeft(now + seconds, { now, timeZone })
}

interface LeftTextProps {
  left: number | null
  /** The whole, shown if it is more. */
  of?: number | null
  paused: boolean
}

function LeftText({ left, of: whole = null, paused }: LeftTextProps) {
  const shown = useRounded(left, paused)
  if (shown === null) return <span>{t`Lifetime`}</span>
  const text = lengthLeftText(shown)
  const length = durationText(whole)
  return <span>{whole !== null && shown < whole ? t`${text} of ${length}` : text}</span>
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <p role="status" className={line}>
      {text}
      <Button size="sm" onClick={onRetry}>{t`Retry`}</Button>
    </p>
  )
}
