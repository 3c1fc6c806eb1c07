import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { fingerprintLength } from '#features/users/user-list.rules.ts'
import { failureText } from '#web/api/errors.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { Moment } from '#web/ui/time-ago.tsx'
import { durationText, preciseTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { kindTexts } from './alert-kind-texts.ts'
import { type Alert, userActivityQuery } from './alerts-data.ts'

/** Details of an alert: the reason, its evidence, and other activity of its users. */
export function AlertDetails({ alert: { type, details } }: { alert: Alert }) {
  const { measured, threshold, windowSeconds, occurrences, users, reseller, usersElsewhere } = details
  const counted = i18n._(kindTexts[type].counts)
  const time = durationText(windowSeconds)
  const measure =
    windowSeconds === 0
      ? t`${counted}: ${measured} at the same time. Alert threshold: ${threshold}.`
      : t`${counted}: ${measured} within ${time}. Alert threshold: ${threshold}.`
  const [user] = users
  // The licenses of these alerts have been deleted.
  const areDeleted = type === 'RESELLER_CREDIT_ABUSE'
  return (
    <>
      <section aria-label={t`Evidence`} className="mt-6">
        <h3 className="mb-2 text-ui font-semibold">{t`Evidence`}</h3>
        <p className="text-ui text-text-2">{i18n._(kindTexts[type].about)}</p>
        <p className="mt-1 text-ui text-text-2">{measure}</p>
        {occurrences > 1 && (
          <p className="mt-1 text-ui text-text-2">
            {plural(occurrences, { one: 'Found # time.', other: 'Found # times.' })}
          </p>
        )}
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-ui">
          <Names label={t`Reseller`} values={reseller ? [reseller] : []} render={resellerLink} />
          <Names
            label={t`Users`}
            values={users}
            render={userLink}
            more={details.userCount - users.length - usersElsewhere.length}
          />
          <Names
            label={t`Users of other apps`}
            values={usersElsewhere.map(({ app, username }) => `${username} · ${app}`)}
          />
          <Names label={t`Licenses`} values={details.licenses} {...(!areDeleted && { render: licenseLink })} />
          <Names label={t`Attempted and rejected`} values={details.attempts} />
          <Names label={t`IP addresses`} values={details.ips} render={addressLink} />
          <Names label={t`Hardware IDs`} values={details.hwids} render={deviceLink} />
          <Names label={t`Countries`} values={details.countries} />
          <Names label={t`Apps`} values={details.apps} />
        </dl>
      </section>
      <section aria-label={t`What happened`} className="mt-6">
        <h3 className="mb-2 text-ui font-semibold">{t`What happened`}</h3>
        <Events events={details.events} />
        {user !== undefined && (
          <div className="mt-3">
            <Disclosure label={t`Latest activity of ${user}`}>{() => <Activity username={user} />}</Disclosure>
          </div>
        )}
      </section>
    </>
  )
}

interface NamesProps {
  label: string
  values: readonly string[]
  /** Renders a name as a link; without it, names are plain text. */
  render?: (value: string) => ReactNode
  /** Number of items not listed. */
  more?: number
}

function Names({ label, values, render = plainName, more = 0 }: NamesProps) {
  if (values.length === 0) return null
  return (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        {values.map((value) => (
          <Fragment key={value}>{render(value)}</Fragment>
        ))}
        {more > 0 && <span className="text-text-2">{plural(more, { one: '# more', other: '# more' })}</span>}
      </dd>
    </>
  )
}

const plainName = (value: string) => <MachineText value={value} className="break-all" />
const resellerLink = (value: string) => <PanelLink kind="reseller" id={value} />
const userLink = (value: string) => <PanelLink kind="user" id={value} />
const licenseLink = (value: string) => <PanelLink kind="license" id={value} />
const deviceLink = (value: string) => <PanelLink kind="device" id={value.slice(0, fingerprintLength)} />
const addressLink = (value: string) => <PanelLink kind="address" id={value} />

type Event = Alert['details']['events'][number]

const Events = ({ events }: { events: readonly Event[] }) => (
  <Lines>
    {events.toReversed().map((event, at) => (
      <Line
        key={`${event.at} ${at}`}
        at={event.at}
        code={event.code}
        parts={[event.username || event.license || event.attempt, event.ip, event.country, event.app]}
      />
    ))}
  </Lines>
)

function Activity({ username }: { username: string }) {
  const { data, error } = useQuery(userActivityQuery(username))
  if (error) return <p className="text-ui text-danger">{failureText(error, t`Failed to load activity`)}</p>
  if (!data) return <p className="text-ui text-text-3">{t`Loading…`}</p>
  if (data.length === 0) return <p className="text-ui text-text-3">{t`No activity is stored for this user.`}</p>
  return (
    <Lines>
      {data.map(({ timestamp, call, code, ip, country }, at) => (
        <Line key={`${timestamp} ${at}`} at={timestamp} code={code} parts={[call, ip, country]} />
      ))}
    </Lines>
  )
}

/** All lines, in a scrollable box. */
const Lines = ({ children }: { children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
  <ul tabIndex={0} aria-label={t`What happened`} className="max-h-56 overflow-y-auto rounded-md border border-line">
    {children}
  </ul>
)

function Line({ at, code, parts }: { at: number; code: string; parts: readonly string[] }) {
  const timeZone = useTimeZone()
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-2.5 py-1 text-meta last:border-b-0">
      <Moment at={at} className="text-text-2">
        {preciseTimeText(at, timeZone)}
      </Moment>
      {parts.filter(Boolean).map((part) => (
        <MachineText key={part} value={part} className="break-all" />
      ))}
      {code !== '' && <MachineText value={code} className="break-all text-warn" />}
    </li>
  )
}
