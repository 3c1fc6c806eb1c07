import { t } from '@lingui/core/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { RotateCw, TriangleAlert } from 'lucide-react'
import { failureText } from '../api/errors.ts'
import { useTimeZone } from '../browser/time-zone.ts'
import { dateTimeText } from '../time/time-text.ts'
import { Button } from './button.tsx'

interface QueryStaleProps {
  query: Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'isFetching' | 'refetch'>
  failure: string
}

/** Above what stays when it can't be loaded again: why, from when it is, and Retry. */
export function QueryStale({ query, failure }: QueryStaleProps) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = query
  const timeZone = useTimeZone()
  if (!error || data === undefined) return null
  const time = dateTimeText(Math.floor(dataUpdatedAt / 1000), timeZone)
  return (
    <div
      role="alert"
      data-print="no"
      className="mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md tint-danger px-3 py-1.5 text-ui"
    >
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
      <p className="flex min-w-0 grow basis-0 flex-wrap gap-x-2.5 py-0.5">
        <span className="font-medium text-danger">{failureText(error, failure)}</span>{' '}
        <span>{t`What you see is from ${time}.`}</span>
      </p>
      <Button size="sm" icon={<RotateCw />} busy={isFetching} onClick={() => void refetch()}>{t`Retry`}</Button>
    </div>
  )
}
