import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { CallRefused } from '#contract/refusals.ts'

interface Failure {
  status: number
  code: string
  message: string
  details?: Record<string, unknown>
}

const frameworkFailures: Record<string, Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'BODY_TOO_LARGE', message: 'The request is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send application/json' },
  FST_ERR_BAD_URL: { status: 400, code: 'INVALID_REQUEST', message: 'The address is not valid' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 400, code: 'INVALID_REQUEST', message: 'The address is too long' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'INVALID_JSON', message: 'The request body is empty' },
}

const databaseGone = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P03', '08006', '08001', '53300'])

/** One funnel for everything that goes wrong: people get a text, programs a code, the log the cause. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error)
  if (failure.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed')
  const { status, code, message, details } = failure
  if (details?.['retryAfterSeconds'] !== undefined) reply.header('retry-after', String(details['retryAfterSeconds']))
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify as (payload: unknown) => string)
    .send({ ...details, success: false, message, code, requestId: request.id })
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CallRefused) {
    return { status: error.status, code: error.code, message: error.message, details: error.details }
  }
  const { code = '', statusCode } = error as FastifyError
  const known = frameworkFailures[code]
  if (known) return known
  if (error instanceof SyntaxError || (statusCode === 400 && code.startsWith('FST_'))) {
    return { status: 400, code: 'INVALID_JSON', message: 'The request body is not valid JSON' }
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, code: 'BAD_REQUEST', message: 'The request is not valid' }
  }
  if (databaseGone.has(code)) {
    const details = { retryAfterSeconds: 2 }
    return { status: 503, code: 'DATABASE_UNAVAILABLE', message: 'The service is briefly unavailable.', details }
  }
  return { status: 500, code: 'INTERNAL_ERROR', message: 'An unexpected error occurred' }
}
