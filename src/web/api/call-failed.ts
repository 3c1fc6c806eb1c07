/** A call that was rejected or failed to reach the server (`status` 0). `message` is the server's text, if any. */
export class CallFailed extends Error {
  readonly status: number
  readonly code: string
  /** Values of the code's text. */
  readonly values: Record<string, string | number> | undefined
  readonly requestId: string | undefined
  /** The whole reply: some errors carry more fields, e.g. `retryAfterSeconds`. */
  readonly details: Record<string, unknown>

  constructor(status: number, reply: Record<string, unknown>) {
    super(typeof reply.message === 'string' ? reply.message : '')
    this.name = 'CallFailed'
    this.status = status
    this.code = typeof reply.code === 'string' ? reply.code : status === 0 ? 'UNREACHABLE' : 'UNKNOWN'
    this.values = reply.values as Record<string, string | number> | undefined
    this.requestId = typeof reply.requestId === 'string' ? reply.requestId : undefined
    this.details = reply
  }
}

/** Nobody knows whether the call was run: there was no reply, or one of a proxy. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof CallFailed && (error.status === 0 || error.status >= 502)
