import { t } from '@lingui/core/macro'

interface Outcome {
  status: number | null
  failure: string
}

/** The result of a request, in the user's language. */
export function outcomeText({ status, failure }: Outcome): string {
  if (failure === 'timeout') return t`it did not answer in time`
  if (failure === 'redirect') return t`it redirects elsewhere, which is not followed`
  if (failure === 'busy') return t`too many requests at once`
  if (failure === 'refused-address') return t`this URL cannot be called`
  if (status === null) return t`it could not be reached`
  return t`it answered ${status}`
}
