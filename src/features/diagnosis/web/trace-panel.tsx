import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '#web/navigation/paths.ts'
import { NoValue, PanelFact, PanelFacts, PanelLoaded, PanelStale, rawTab } from '#web/panel/panel-parts.tsx'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { PanelBody } from '#web/panel/side-panel.tsx'
import { useRememberOpened } from '#web/panel/recent-things.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { historyTab, whyTab } from './diagnosis-tabs.tsx'
import { type Diagnosis, diagnosisQuery, isNothing } from './why-data.ts'

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
      {(diagnosis) => (
        <PanelBody
          kind={name}
          name={
            <>
              <span translate="no" className="machine">
                {id}
              </span>
              <CopyButton
                text={id}
                label={isDevice ? t`Copy HWID` : t`Copy IP address`}
                className="-my-1 ml-1 align-middle"
              />
            </>
          }
          actions={
            !isNothing(diagnosis) && (
              <Link to={paths.logs()} search={isDevice ? { hwid: id } : { ip: id }} className={buttonStyle({})}>
                {t`Show in the log`}
              </Link>
            )
          }
          tabs={[
            {
              value: '',
              label: t`Details`,
              content: (
                <>
                  <PanelStale query={query} failure={failure} />
                  {isNothing(diagnosis) ? <Unknown isDevice={isDevice} /> : <Facts key={id} diagnosis={diagnosis} />}
                </>
              ),
            },
            ...(isNothing(diagnosis) ? [] : [historyTab({ search: id }), whyTab({ search: id }), rawTab(diagnosis)]),
          ]}
        />
      )}
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

function Facts({ diagnosis }: { diagnosis: Diagnosis }) {
  useRememberOpened()
  const { boundUsers, events, hasMore, device } = diagnosis
  const calls = events.filter(({ act }) => act === '')
  const rejected = calls.filter(({ code }) => code !== '').length
  const [newest] = calls
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
        <span>{hasMore ? t`The 100 newest entries` : counted}</span>
        {rejected > 0 && (
          <span className="text-danger">{plural(rejected, { one: '# rejected', other: '# rejected' })}</span>
        )}
      </PanelFact>
      {newest && (
        <PanelFact name={t`Last seen`}>
          <TimeAgo at={newest.timestamp} />
        </PanelFact>
      )}
    </PanelFacts>
  )
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => value !== '')

const UserLink = ({ name }: { name: string }) => <PanelLink kind="user" id={name} />

const maxListed = 12

interface ListedProps {
  name: string
  values: readonly string[]
  children: (value: string) => ReactNode
}

function Listed({ name, values, children }: ListedProps) {
  if (values.length === 0) return null
  const more = values.length - maxListed
  return (
    <PanelFact name={name}>
      {values.slice(0, maxListed).map((value) => (
        <span key={value}>{children(value)}</span>
      ))}
      {more > 0 && <span className="text-text-2">{plural(more, { one: '# more', other: '# more' })}</span>}
    </PanelFact>
  )
}
