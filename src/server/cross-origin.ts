import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * The programs' calls may come from any page: they carry no cookies, so a foreign page can do nothing that its own
 * server couldn't (R-CSRF-06). Everything else stays same-origin.
 */
const sentHeaders = 'content-type, x-signet-app, x-signet-nonce, x-signet-session, x-signet-time'
const exposedHeaders =
  'x-signet-certificate, x-signet-key, x-signet-path, x-signet-signature, x-signet-time, retry-after'

export function allowAnyOrigin(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.origin === undefined) return
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', exposedHeaders)
}

/** The question a browser asks before it sends such a call; it may keep the answer for a day. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': sentHeaders,
    'access-control-max-age': '86400',
  })
  response.end()
}
