import { t } from '@lingui/core/macro'

interface Outcome {
  status: number | null
  failure: string
}

/** The result of a request, in the user's language. */
export function outcomeText({ status, failure }: Outcome): string {
  if (failure === 'timeout') return t`timed out`
  if (failure === 'redirect') return t`redirects are not followed`
  if (failure === 'busy') return t`too many requests at once`
  if (failure === 'refused-address') return t`this URL cannot be called`
  if (status === null) return t`could not connect`
  return t`responded with status ${status}`
}
