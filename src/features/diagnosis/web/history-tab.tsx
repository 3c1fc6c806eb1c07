import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { failureText, requestIdOf } from '#web/api/errors.ts'
import { paths } from '#web/navigation/paths.ts'
import { LoadFailed } from '#web/ui/empty-state.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { Answer } from './why-answer.tsx'
import { diagnosisQuery, isNothing } from './why-data.ts'
import { SubjectFacts } from './why-subject.tsx'
import { Timeline } from './why-timeline.tsx'

interface HistoryProps {
  /** License key, username, device, or IP address. */
  search: string
  /** Changes when what is shown changed, which is asked for again then. */
  version?: string
  /** Shows the facts of the customer; a license and a user have their own. */
  withFacts?: boolean
}

/** Whether a customer can start now, and what happened. */
export function History({ search, version = '', withFacts = false }: HistoryProps) {
  const { data, error, refetch } = useQuery(diagnosisQuery(search))
  const asked = useRef(version)
  useEffect(() => {
    if (asked.current === version) return
    asked.current = version
    void refetch()
  }, [version, refetch])
  if (!data) {
    if (!error) return <p role="status" className="text-ui text-text-2">{t`Loading…`}</p>
    const message = failureText(error, t`Failed to load the history`)
    return <LoadFailed message={message} requestId={requestIdOf(error)} onRetry={() => void refetch()} />
  }
  if (isNothing(data)) return <p className="text-ui text-text-2">{t`Nothing is known about it in the stored logs.`}</p>
  return (
    <div className="flex flex-col gap-4">
      <Answer diagnosis={data} search={search} />
      {withFacts && <SubjectFacts diagnosis={data} isNamed />}
      <Timeline diagnosis={data} isNarrow />
      <Link to={paths.why()} search={{ q: search }} className="self-start text-ui text-text-2 underline">
        {t`Open as a page`}
      </Link>
    </div>
  )
}

export const historyTab = (search: string, version?: string): Tab => ({
  value: 'history',
  label: t`History`,
  content: <History key={search} search={search} {...(version !== undefined && { version })} />,
})
