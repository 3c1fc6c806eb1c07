import { OperatorError } from '#database/operator-error.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'

/** The message of an error that an operator can fix, as one line without a stack; undefined for all other errors. */
export const operatorMessage = (error: unknown): string | undefined =>
  error instanceof OperatorError || databaseIsUnavailable(error) ? oneLine(error as Error) : undefined

/** Node gives no message, only a code, if all addresses of a host fail. */
export const oneLine = (error: Error & { code?: string }): string =>
  (error.message || error.code || error.name)
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
