import { t } from '@lingui/core/macro'
import { failureText } from './errors.ts'

/** Why an act on many stopped, and how far it came: trying again goes on from there. */
export function batchFailureText(error: unknown, fallback: string, done: number): string {
  const why = failureText(error, fallback)
  if (done === 0) return why
  const reached = done.toLocaleString(document.documentElement.lang || 'en')
  return `${why} ${t`${reached} were done before. Trying again does the rest.`}`
}
