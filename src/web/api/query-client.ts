import { QueryClient } from '@tanstack/react-query'
import { CallFailed, isUnanswered } from './call-failed.ts'

/** Errors reported by the server are final; only failures and unreachable servers are retried, once. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 1) return false
  return !(error instanceof CallFailed) || isUnanswered(error)
}

/**
 * A server on this machine or local network may answer while the browser reports to be offline, so it is always asked.
 */
const networkMode = 'always'

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000, networkMode }, mutations: { networkMode } },
})
