import { CallFailed } from './call-failed.ts'

/**
 * The one text a failure is shown with: the server's message, else the document's text for it.
 * A form shows it in its error slot, a fire-and-forget action as `notify.error(failureText(error, ...))`; never both.
 */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof CallFailed && error.message !== '' ? error.message : fallback
}

/** For texts of the form 'Failed to add time: {message}', which end at the verb when the server said nothing. */
export function failureTextWithCause(error: unknown, fallback: string, withCause: (message: string) => string): string {
  return error instanceof CallFailed && error.message !== '' ? withCause(error.message) : fallback
}

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CallFailed ? error.requestId : undefined
}
