import { CallFailed } from './call-failed.ts'
import { codeText, type Coded } from './code-text.ts'

/** Codes whose text says less than the fallback. */
const isUnexplained = ({ status, code }: CallFailed) => status === 0 || code === 'INTERNAL_ERROR'

/**
 * The text of a failure in the reader's language; `fallback` if there was no reply or it explains nothing. A form shows
 * it in its error slot, a background action with `notify.error(failureText(error, ...))`, never both.
 */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof CallFailed && !isUnexplained(error) ? codeText(error) || fallback : fallback
}

/** For texts like 'Failed to add time: {message}', which end after the verb if the server gave no reason. */
export function failureTextWithCause(error: unknown, fallback: string, withCause: (message: string) => string): string {
  const text = failureText(error, '')
  return text === '' ? fallback : withCause(text)
}

export const successText = (reply: Coded): string => codeText(reply)

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CallFailed ? error.requestId : undefined
}

/** The password was correct; the code is missing or wrong. */
export const isAboutSecondFactor = (error: unknown): boolean =>
  error instanceof CallFailed && error.code.startsWith('TWO_FACTOR')
