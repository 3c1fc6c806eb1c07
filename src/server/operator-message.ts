import { OperatorError } from '#database/operator-error.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'

/** An error that an operator can act on, as one line without a stack; undefined for every other error. */
export const operatorMessage = (error: unknown): string | undefined =>
  error instanceof OperatorError || databaseIsUnavailable(error) ? oneLine(error as Error) : undefined

/** Node has no message for a host whose every address fails, only a code. */
export const oneLine = (error: Error & { code?: string }): string =>
  (error.message || error.code || error.name)
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
