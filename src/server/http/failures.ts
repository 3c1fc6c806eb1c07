import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { commonErrors } from '#contract/common-errors.ts'
import type { requestFields } from './access-log.ts'
import { CallError, callError, type CallErrorOptions } from '#contract/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Log fields of a request. */
    logFields: (request: FastifyRequest) => ReturnType<typeof requestFields>
  }
}

const common = (code: keyof typeof commonErrors, options?: CallErrorOptions) => callError(commonErrors, code, options)

const frameworkFailures: Record<string, () => CallError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => common('BODY_TOO_LARGE'),
  // All calls but uploads have a parser for other types, which rejects them.
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => common('UNSUPPORTED_MEDIA_TYPE', { values: { type: 'multipart/form-data' } }),
  FST_ERR_BAD_URL: () => common('INVALID_REQUEST', { values: { field: 'The address' } }),
  FST_ERR_MAX_PARAM_LENGTH: () => common('INVALID_REQUEST', { values: { field: 'The address' } }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => common('INVALID_JSON'),
}

/**
 * Single funnel for all errors: people get a text, programs a code, the log the cause. `unexplained` is the call's own
 * text for unexpected failures.
 */
export function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  unexplained?: string,
): FastifyReply {
  const failure = failureOf(error, unexplained)
  const { status } = failure
  if (status >= 500) {
    const fields = { ...request.server.logFields(request), status }
    // A declared error, such as maintenance, is not a failure to investigate.
    if (error instanceof CallError) request.log.info({ ...fields, code: failure.code }, 'request rejected')
    else request.log.error({ err: error, ...fields }, 'request failed')
  }
  const { retryAfterSeconds } = failure.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(failure.status)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify as (payload: unknown) => string)
    .send(failureBody(failure, request.id))
}

/** The shape of every error reply. */
export const failureBody = ({ code, message, values, details }: CallError, requestId: string) => ({
  ...details,
  success: false,
  message,
  code,
  ...(values && { values }),
  requestId,
})

export function failureOf(error: unknown, unexplained?: string): CallError {
  if (error instanceof CallError) return error
  const { code = '', statusCode } = error as FastifyError
  const known = frameworkFailures[code]
  if (known) return known()
  if (error instanceof SyntaxError || (statusCode === 400 && code.startsWith('FST_'))) return common('INVALID_JSON')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return common('BAD_REQUEST', { status: statusCode })
  }
  if (databaseIsUnavailable(error)) return common('DATABASE_UNAVAILABLE', { details: { retryAfterSeconds: 2 } })
  return common('INTERNAL_ERROR', unexplained === undefined ? {} : { message: unexplained })
}
