import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { commonErrors } from '#contract/common-errors.ts'
import { callError } from '#contract/errors.ts'
import { failureBody } from './failures.ts'
import { setHeaders } from './security-headers.ts'

/** Requests rejected by Node's parser or timeouts before there is a request object. */
const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** Replaces Node's own error replies by replies in the usual shape and with the usual headers. */
export class ParserFailures {
  readonly #headers: readonly string[]
  readonly #nextId: () => string
  readonly #slowSenders: WeakSet<Duplex>

  constructor(headers: readonly string[], nextId: () => string, slowSenders: WeakSet<Duplex>) {
    this.#headers = headers
    this.#nextId = nextId
    this.#slowSenders = slowSenders
  }

  /** For `clientError`. */
  readonly answer = ({ code = '' }: { code?: string }, socket: Duplex & { _httpMessage?: ServerResponse }): void => {
    // Node leaves closing a slow request to this listener; uploads have their own limits.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && this.#slowSenders.has(socket)) return
    const { _httpMessage: begun } = socket
    // A partial reply must not be followed by another one.
    if (code === 'ECONNRESET' || !socket.writable || begun?.headersSent) {
      socket.destroy()
      return
    }
    const status = statuses[code] ?? 400
    const { headers, body } = this.#rejection(status)
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }

  /** For `checkExpectation`, and for requests that must not reach a route. */
  reject(response: ServerResponse, status: number): void {
    const { headers, body } = this.#rejection(status)
    response.statusCode = status
    setHeaders(response, headers)
    response.end(body)
  }

  #rejection(status: number): { headers: string[]; body: string } {
    const id = this.#nextId()
    const body = JSON.stringify(failureBody(callError(commonErrors, 'BAD_REQUEST', { status }), id))
    const headers = [
      'content-type',
      'application/json; charset=utf-8',
      'content-length',
      String(Buffer.byteLength(body)),
    ]
    return { headers: [...this.#headers, 'x-request-id', id, 'connection', 'close', ...headers], body }
  }
}
