import type { UseQueryResult } from '@tanstack/react-query'
import { failureText, requestIdOf } from '../api/errors.ts'
import { LoadFailed } from './empty-state.tsx'

interface QueryFailedProps {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  failure: string
}

/** Why a query has no data, with the ID of its request. */
export const QueryFailed = ({ query: { error, refetch }, failure }: QueryFailedProps) => (
  <LoadFailed message={failureText(error, failure)} requestId={requestIdOf(error)} onRetry={() => void refetch()} />
)
