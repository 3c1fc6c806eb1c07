import { createHmac, randomBytes } from 'node:crypto'
import { request as httpRequest, STATUS_CODES } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { usage } from './failures.ts'

/** Sends events to a receiver as Signet delivers them: Standard Webhooks, version 1. */

/** As long as a receiver of deliveries has. */
const timeoutMs = 10_000
const secretPrefix = 'whsec_'

export interface Message {
  /** `webhook-id`. */
  id: string
  body: string
}

export interface Forwarded {
  /** Without an answer, undefined. */
  status: number | undefined
  failure: string | undefined
  durationMs: number
}

export function forwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw usage('--forward takes an http:// or https:// address')
  if (url.username || url.password) throw usage('--forward takes an address without a user and password')
  return url
}

export const newSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

/** The secret of the person, which stays the same each time. */
export function checkedSecret(text: string): string {
  const bytes = Buffer.from(text.replace(secretPrefix, ''), 'base64')
  const isWhole = text === secretPrefix + bytes.toString('base64')
  if (!isWhole || bytes.length < 24 || bytes.length > 64)
    throw usage(`SIGNET_WEBHOOK_SECRET is ${secretPrefix} and 24 to 64 bytes in base64`)
  return text
}

/** The time is that of sending: a receiver rejects one that is minutes old. */
function signatureOf(secret: string, { id, body }: Message): Record<string, string> {
  const at = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
}

/** Resolves also when there is no answer. A redirect is an answer like any other. */
export function forward(
  url: URL,
  message: Message,
  { headers, secret, signal }: { headers: Record<string, string>; secret: string; signal: AbortSignal },
): Promise<Forwarded> {
  const started = performance.now()
  const { body } = message
  return new Promise((resolve) => {
    const end = (status: number | undefined, failure?: string) => {
      clearTimeout(timer)
      resolve({ status, failure, durationMs: Math.round(performance.now() - started) })
      request.destroy()
    }
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, ...signatureOf(secret, message), 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
    })
    const timer = setTimeout(() => end(undefined, 'no answer within 10 seconds'), timeoutMs)
    request.on('response', (response) => {
      response.resume()
      for (const event of ['end', 'close', 'error']) response.once(event, () => end(response.statusCode))
    })
    request.on('error', (error) => end(undefined, failureOf(error)))
    request.end(body)
  })
}

const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
}

/** A code, never a message, which could contain what the receiver says. */
function failureOf(error: NodeJS.ErrnoException): string {
  const code = error.code ?? 'the connection broke'
  return failures[code] ?? code
}

/** `200 OK 12 ms`. The words are those of the status, not those of the receiver. */
export function outcomeText({ status, failure, durationMs }: Forwarded): string {
  if (status === undefined) return failure ?? ''
  return [status, STATUS_CODES[status], `${durationMs} ms`].filter(Boolean).join(' ')
}
