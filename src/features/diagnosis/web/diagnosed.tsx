import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureText, requestIdOf } from '#web/api/errors.ts'
import { useRefetchOn } from '#web/panel/use-refetch-on.ts'
import { LoadFailed } from '#web/ui/empty-state.tsx'
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
  const { data, error, refetch } = useQuery(diagnosisQuery(search))
  useRefetchOn(version, refetch)
  if (!data) {
    if (!error) return <p role="status" className="text-ui text-text-2">{t`Loading…`}</p>
    const message = failureText(error, t`Failed to load the history`)
    return <LoadFailed message={message} requestId={requestIdOf(error)} onRetry={() => void refetch()} />
  }
  if (isNothing(data)) return <p className="text-ui text-text-2">{t`Nothing is known about it in the stored logs.`}</p>
  return children(data)
}
