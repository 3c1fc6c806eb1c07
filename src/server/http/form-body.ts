import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonErrors } from '#contract/common-errors.ts'
import { areaPrefix } from '#contract/define-call.ts'
import { reject } from '#contract/errors.ts'
import { rejectLargeRequest } from './request-size.ts'
import type { Services } from '../services.ts'

export const formType = 'application/x-www-form-urlencoded'
const maxFields = 1000

/**
 * Accepts form bodies in the seller API, because many shops and bots can send nothing else. Other calls are made with
 * a cookie, and only a form needs no permission to be sent from another site.
 */
export function addFormBody(server: FastifyInstance, services: Services): void {
  server.addContentTypeParser(formType, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (!isSellerCall(request)) reject(commonErrors, 'UNSUPPORTED_MEDIA_TYPE', { values: { type: 'application/json' } })
    rejectLargeRequest(services, bytes.length)
    return parseFormBody(bytes.toString())
  })
}

const isSellerCall = ({ url }: FastifyRequest): boolean => url.startsWith(`${areaPrefix.seller}/`)

export const hasFormBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === formType

/** Fields as text; `name[]` may be repeated and becomes a list. */
export function parseFormBody(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {}
  let count = 0
  for (const [sent, value] of new URLSearchParams(text)) {
    if (++count > maxFields) reject(commonErrors, 'JSON_TOO_COMPLEX')
    const isList = sent.endsWith('[]')
    const name = isList ? sent.slice(0, -2) : sent
    if (name === '__proto__') reject(commonErrors, 'FIELD_REPEATED')
    const earlier = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (isList && (earlier === undefined || Array.isArray(earlier))) fields[name] = [...(earlier ?? []), value]
    else if (earlier === undefined) fields[name] = value
    else reject(commonErrors, 'FIELD_REPEATED')
  }
  return fields
}
