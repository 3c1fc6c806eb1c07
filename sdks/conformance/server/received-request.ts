import type { IncomingMessage } from 'node:http'
import { openSealedBody } from '#protocol/sealed-body.ts'
import type { Fields } from '../contract.ts'
import { sealingKey } from './identity.ts'

/** A request of a client, as it came in. */
export interface ReceivedRequest {
  /** `heartbeat`; `GET file` for the bytes of a download. */
  call: string
  method: string
  path: string
  headers: IncomingMessage['headers']
  app: string
  nonce: string
  time: string
  session: string | undefined
  body: Buffer
  isSealed: boolean
  /** The fields of the body, opened if it is sealed; undefined if it can't be read. */
  fields: Fields | undefined
  /** Number of requests of this call until this one, starting with 1. */
  number: number
  atMs: number
}

export const callPath = '/api/1.0/client/'

const single = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(', ') : (value ?? '')

export function receivedRequest(message: IncomingMessage, body: Buffer, number: number): ReceivedRequest {
  const { headers, method = '', url = '' } = message
  const session = single(headers['x-signet-session'])
  const request = {
    call: callOf(method, url),
    method,
    path: url,
    headers,
    app: single(headers['x-signet-app']),
    nonce: single(headers['x-signet-nonce']),
    time: single(headers['x-signet-time']),
    session: session === '' ? undefined : session,
    body,
    isSealed: headers['content-type'] === 'application/octet-stream',
    number,
    atMs: Date.now(),
  }
  return { ...request, fields: fieldsOf(request) }
}

export function callOf(method: string, url: string): string {
  if (method === 'POST' && url.startsWith(callPath)) return url.slice(callPath.length)
  return method === 'GET' ? 'GET file' : `${method} ${url}`
}

function fieldsOf(request: Omit<ReceivedRequest, 'fields'>): Fields | undefined {
  if (request.method !== 'POST') return undefined
  try {
    const { path, app, nonce, time, session, body: sealed } = request
    const place = { path, app, nonce, time, session }
    const bytes = request.isSealed ? openSealedBody({ ...place, privateKey: sealingKey, sealed }) : sealed
    const fields: unknown =
      bytes.length === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof fields === 'object' && fields !== null ? (fields as Fields) : undefined
  } catch {
    return undefined
  }
}

const shapes: [header: string, shape: RegExp][] = [
  ['x-signet-app', /^[A-Za-z0-9]{10}\/[A-Za-z0-9_.!~*'()%-]+$/],
  ['x-signet-nonce', /^[A-Za-z0-9_-]{22,64}$/],
  ['x-signet-time', /^[0-9]{1,15}$/],
]

/** What the request has that the protocol forbids. */
export function violationsOf(request: ReceivedRequest, app: string): string[] {
  const { headers, method, call } = request
  const found: string[] = []
  if (headers.cookie !== undefined) found.push('a cookie was sent')
  if (method !== 'POST') {
    if (headers['x-signet-session'] !== undefined) found.push('the session was sent with a file request')
    return found
  }
  for (const [name, shape] of shapes) if (!shape.test(single(headers[name]))) found.push(`malformed ${name}`)
  if (request.app !== app) found.push(`another app: ${request.app}`)
  if (!request.fields) found.push(request.isSealed ? 'a sealed body that can not be opened' : 'a body that is not JSON')
  const type = headers['content-type'] ?? ''
  if (!request.isSealed && !/^application\/json\s*(;.*)?$/.test(type)) found.push(`the content type ${type}`)
  if (call === 'init' && request.session !== undefined) found.push('a session was sent with init')
  return found
}
