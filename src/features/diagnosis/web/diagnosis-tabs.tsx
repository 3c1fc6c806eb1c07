import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '#web/navigation/paths.ts'
import { useRefetchOn } from '#web/panel/use-refetch-on.ts'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { SeenDevices } from './seen-devices.tsx'
import { Answer } from './why-answer.tsx'
import { type Diagnosis, diagnosisQuery, isNothing } from './why-data.ts'
import { Timeline } from './why-timeline.tsx'

/** Tabs of the panel with what diagnosis knows of a license, user, session, machine, or IP address. */

type About = Pick<DiagnosedProps, 'search' | 'version'>

/** What programs did and what was done to it, newest first. */
export const historyTab = (about: About): Tab => ({
  value: 'history',
  label: t`History`,
  content: (
    <Diagnosed key={about.search} {...about}>
      {(diagnosis) => <Timeline diagnosis={diagnosis} isNarrow />}
    </Diagnosed>
  ),
})

/** Whether the customer can start now, the rule that decides, and the change that lets the customer in. */
export const whyTab = (about: About): Tab => ({
  value: 'why',
  label: t`Why`,
  content: (
    <Diagnosed key={about.search} {...about}>
      {(diagnosis) => <Why diagnosis={diagnosis} search={about.search} />}
    </Diagnosed>
  ),
})

/** The bound machine, and all that were seen. */
export const devicesTab = (about: About): Tab => ({
  value: 'devices',
  label: t`Devices`,
  content: (
    <Diagnosed key={about.search} {...about}>
      {(diagnosis) => <SeenDevices diagnosis={diagnosis} />}
    </Diagnosed>
  ),
})

interface SessionHistoryProps {
  sessionId: string
  /** The user, or the IP address of a program that nobody has signed in to. */
  search: string
}

/** What happened in one session. */
export const sessionHistoryTab = ({ sessionId, search }: SessionHistoryProps): Tab => ({
  value: 'history',
  label: t`History`,
  content: (
    <Diagnosed key={sessionId} search={search}>
      {(diagnosis) => <SessionTimeline diagnosis={diagnosis} sessionId={sessionId} />}
    </Diagnosed>
  ),
})

export function Why({ diagnosis, search }: { diagnosis: Diagnosis; search: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Answer diagnosis={diagnosis} search={search} />
      <Link to={paths.why()} search={{ q: search }} className="self-start rounded-sm text-ui text-text-2 underline">
        {t`Open as a page`}
      </Link>
    </div>
  )
}

function SessionTimeline({ diagnosis, sessionId }: { diagnosis: Diagnosis; sessionId: string }) {
  const events = diagnosis.events.filter(({ session }) => session === sessionId)
  return (
    <>
      <Timeline diagnosis={{ ...diagnosis, events, hasMore: false }} isNarrow />
      {diagnosis.hasMore && (
        <p className="mt-2 text-meta text-text-2">{t`Older entries of this session are in the log.`}</p>
      )}
    </>
  )
}

interface DiagnosedProps {
  /** License key, username, device, or IP address. */
  search: string
  /** Changes when what is shown changed, which is asked for again then. */
  version?: string
  children: (diagnosis: Diagnosis) => ReactNode
}

/** What diagnosis knows of a name, once it is loaded; the tabs of a panel share one request. */
function Diagnosed({ search, version = '', children }: DiagnosedProps) {
  const query = useQuery(diagnosisQuery(search))
  const { data, error, refetch } = query
  useRefetchOn(version, refetch)
  if (!data) {
    if (!error) return <p role="status" className="text-ui text-text-2">{t`Loading…`}</p>
    return <QueryFailed query={query} failure={t`Failed to load the history`} />
  }
  if (isNothing(data)) return <p className="text-ui text-text-2">{t`Nothing is known about it in the stored logs.`}</p>
  return children(data)
}
