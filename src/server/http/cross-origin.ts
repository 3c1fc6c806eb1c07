import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Client API calls may come from pages whose origins administrators allow (by default, any): these calls use no
 * cookies, so a page can do nothing that its own server could not. Everything else is same-origin.
 */
const sentHeaders = 'content-type, x-signet-app, x-signet-nonce, x-signet-session, x-signet-time'
const exposedHeaders =
  'x-signet-certificate, x-signet-key, x-signet-path, x-signet-signature, x-signet-time, retry-after'

interface CrossOriginSettings {
  enableCORS: boolean
  /** `*`, or a comma-separated list of origins. */
  allowedOrigins: string
}

/**
 * Value of `access-control-allow-origin` for this page; undefined if it may not call. Credentials are never allowed.
 */
function allowedOrigin(origin: string | undefined, settings: CrossOriginSettings): string | undefined {
  if (origin === undefined || !settings.enableCORS) return undefined
  const allowed = settings.allowedOrigins.split(',').map((each) => each.trim())
  if (allowed.includes('*')) return '*'
  return allowed.includes(origin) ? origin : undefined
}

export function allowOrigin(request: IncomingMessage, response: ServerResponse, settings: CrossOriginSettings): void {
  const origin = allowedOrigin(request.headers.origin, settings)
  if (request.headers.origin !== undefined) response.setHeader('vary', 'origin')
  if (origin === undefined) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', exposedHeaders)
}

/** Answers the preflight request; browsers may cache the answer for a day. */
export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  settings: CrossOriginSettings,
): void {
  const origin = allowedOrigin(request.headers.origin, settings)
  if (origin === undefined) return void response.writeHead(204, { vary: 'origin' }).end()
  response.writeHead(204, {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': sentHeaders,
    'access-control-max-age': '86400',
  })
  response.end()
}
