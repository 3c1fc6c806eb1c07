import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { paths } from '#web/navigation/paths.ts'
import type { SearchParams } from '#web/navigation/search-params.ts'
import { CopiedName, NoValue, PanelFact, PanelFacts, PanelLoaded, rawTab } from '#web/panel/panel-parts.tsx'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { PanelBody } from '#web/panel/side-panel.tsx'
import { useRememberOpened } from '#web/panel/recent-things.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { historyTab, whyTab } from './diagnosis-tabs.tsx'
import { type KnownTrace, knownTrace, logOfTrace, RunningSessions, TraceActions } from './trace-actions.tsx'
import { type Diagnosis, diagnosisQuery } from './why-data.ts'

interface TracePanelProps {
  kind: 'device' | 'address'
  id: string
}

/** A machine or an IP address: who used it, what happened, and whether its customer is kept out. */
export function TracePanel({ kind, id }: TracePanelProps) {
  const query = useQuery(diagnosisQuery(id))
  const isDevice = kind === 'device'
  const failure = t`Failed to load the history`
  const name = isDevice ? t`Machine` : t`IP Address`
  return (
    <PanelLoaded query={query} kind={name} name={id} failure={failure}>
      {(diagnosis) => {
        const trace = knownTrace(kind, diagnosis)
        return (
          <PanelBody
            kind={name}
            name={
              <CopiedName name={id} copyLabel={isDevice ? t`Copy HWID` : t`Copy IP address`}>
                <span translate="no" className="machine">
                  {id}
                </span>
              </CopiedName>
            }
            actions={
              trace && (
                <>
                  <TraceActions key={id} trace={trace} onDone={() => void query.refetch()} />
                  <Link to={paths.logs()} search={logOfTrace(trace)} className={buttonStyle({})}>
                    {t`Show in the log`}
                  </Link>
                </>
              )
            }
            tabs={[
              {
                value: '',
                label: t`Details`,
                content: (
                  <>
                    <QueryStale query={query} failure={failure} />
                    {trace ? <Facts key={id} diagnosis={diagnosis} trace={trace} /> : <Unknown isDevice={isDevice} />}
                  </>
                ),
              },
              ...(trace ? [historyTab({ search: id }), whyTab({ search: id }), rawTab(diagnosis)] : []),
            ]}
          />
        )
      }}
    </PanelLoaded>
  )
}

const Unknown = ({ isDevice }: { isDevice: boolean }) => (
  <p className="text-ui text-text-2">
    {isDevice
      ? t`Nothing is known about this machine: no user is bound to it, and no program has sent it in the stored logs.`
      : t`Nothing is known about this IP address: no program has called from it in the stored logs.`}
  </p>
)

function Facts({ diagnosis: { events, hasMore }, trace }: { diagnosis: Diagnosis; trace: KnownTrace }) {
  useRememberOpened()
  const { boundUsers, device, ip: address } = trace
  // Those of a user or a license of the same name are others.
  const calls = events.filter(
    (each) => each.act === '' && (device === '' ? each.ip === address : each.device === device),
  )
  const rejected = calls.filter(({ code }) => code !== '').length
  const [newest] = calls
  const rejectedText = plural(rejected, { one: '# rejected', other: '# rejected' })
  const counted = plural(calls.length, { one: '# log entry', other: '# log entries' })
  const names = unique(calls.map(({ credential, licenseKey }) => (credential === licenseKey ? '' : credential)))
  const others = names.filter((name) => !boundUsers.includes(name))
  return (
    <PanelFacts>
      {device !== '' && (
        <PanelFact name={t`Bound users`}>
          {boundUsers.length === 0 ? <NoValue /> : boundUsers.map((name) => <UserLink key={name} name={name} />)}
        </PanelFact>
      )}
      {others.length > 0 && (
        <PanelFact name={t`Users`}>
          {others.map((name) => (
            <UserLink key={name} name={name} />
          ))}
        </PanelFact>
      )}
      <Listed name={t`Licenses`} values={unique(calls.map(({ licenseKey }) => licenseKey))}>
        {(key) => <PanelLink kind="license" id={key} />}
      </Listed>
      {device === '' && (
        <Listed name={t`Devices`} values={unique(calls.map((each) => each.device))}>
          {(each) => <PanelLink kind="device" id={each} />}
        </Listed>
      )}
      {device !== '' && (
        <Listed name={t`IP addresses`} values={unique(calls.map(({ ip }) => ip))}>
          {(ip) => <PanelLink kind="address" id={ip} />}
        </Listed>
      )}
      <Listed name={t`Countries`} values={unique(calls.map(({ country }) => country))}>
        {(country) => <span>{country}</span>}
      </Listed>
      <PanelFact name={t`Logs`}>
        {hasMore ? <span>{t`The 100 newest entries`}</span> : <ListLink search={logOfTrace(trace)}>{counted}</ListLink>}
        {rejected > 0 && (
          <span className="text-danger">
            {hasMore ? (
              rejectedText
            ) : (
              <ListLink search={{ ...logOfTrace(trace), 'f.result': 'refused' }}>{rejectedText}</ListLink>
            )}
          </span>
        )}
      </PanelFact>
      <RunningSessions trace={trace} />
      {newest && (
        <PanelFact name={t`Last seen`}>
          <TimeAgo at={newest.timestamp} />
        </PanelFact>
      )}
    </PanelFacts>
  )
}

const countLook = 'rounded-sm underline decoration-line-strong underline-offset-2 hover:decoration-current'

/** A number that leads to the entries of the log that it counts. */
const ListLink = ({ search, children }: { search: SearchParams; children: string }) => (
  <Link to={paths.logs()} search={search} className={countLook}>
    {children}
  </Link>
)

const unique = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => value !== '')

const UserLink = ({ name }: { name: string }) => <PanelLink kind="user" id={name} />

const maxListed = 12

interface ListedProps {
  name: string
  values: readonly string[]
  children: (value: string) => ReactNode
}

function Listed({ name, values, children }: ListedProps) {
  const [isWhole, setIsWhole] = useState(false)
  if (values.length === 0) return null
  const more = isWhole ? 0 : values.length - maxListed
  return (
    <PanelFact name={name}>
      {(isWhole ? values : values.slice(0, maxListed)).map((value) => (
        <span key={value}>{children(value)}</span>
      ))}
      {more > 0 && (
        <button type="button" onClick={() => setIsWhole(true)} className={`text-text-2 ${countLook}`}>
          {plural(more, { one: '# more', other: '# more' })}
        </button>
      )}
    </PanelFact>
  )
}
