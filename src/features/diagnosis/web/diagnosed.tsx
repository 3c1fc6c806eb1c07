import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRefetchOn } from '#web/panel/use-refetch-on.ts'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { type Diagnosis, diagnosisQuery, isNothing } from './why-data.ts'

export interface DiagnosedProps {
  /** License key, username, device, or IP address. */
  search: string
  /** Changes when what is shown changed, which is asked for again then. */
  version?: string
  children: (diagnosis: Diagnosis) => ReactNode
}

/** What diagnosis knows of a name, once it is loaded; the tabs of a panel share one request. */
export function Diagnosed({ search, version = '', children }: DiagnosedProps) {
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
