import { QueryClient } from '@tanstack/react-query'
import { CallFailed } from './call-failed.ts'

/** A refusal stays a refusal; only a server that stumbled or could not be reached is asked once more. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 1) return false
  return !(error instanceof CallFailed) || error.status === 0 || error.status >= 502
}

/** A server on this machine or in the office answers while the browser says it is offline: it is always asked. */
const networkMode = 'always'

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000, networkMode }, mutations: { networkMode } },
})
