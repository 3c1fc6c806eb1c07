import { CallFailed } from './call-failed.ts'
import { codeText, type Coded } from '../texts/code-text.ts'

/** Says less than the text for what failed. */
const isUnexplained = ({ status, code }: CallFailed) => status === 0 || code === 'INTERNAL_ERROR'

/**
 * The one text a failure is shown with, in the reader's language; `fallback` when no answer came or none that explains.
 * A form shows it in its error slot, a fire-and-forget action as `notify.error(failureText(error, ...))`; never both.
 */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof CallFailed && !isUnexplained(error) ? codeText(error) || fallback : fallback
}

/** For texts of the form 'Failed to add time: {message}', which end at the verb when the server said nothing. */
export function failureTextWithCause(error: unknown, fallback: string, withCause: (message: string) => string): string {
  const text = failureText(error, '')
  return text === '' ? fallback : withCause(text)
}

/** What a reply says of its success. */
export const successText = (reply: Coded): string => codeText(reply)

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CallFailed ? error.requestId : undefined
}
