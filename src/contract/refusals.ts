/** A named refusal: HTTP status and the text for people. `{name}` stands for a detail. */
export interface Refusal {
  status: number
  message: string
}

export type Refusals = Record<string, Refusal>

/** Thrown by rules and actions; the server turns it into `{success:false, message, code, requestId}`. */
export class CallRefused extends Error {
  readonly status: number
  readonly code: string
  /** Extra fields of the reply, e.g. `downloadUrl` or `retryAfterSeconds`. */
  readonly details: Record<string, unknown>

  constructor(status: number, code: string, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'CallRefused'
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Throws one of a feature's named refusals. `fill` replaces `{name}` in the text. */
export function refuse<R extends Refusals>(
  refusals: R,
  code: keyof R & string,
  options: { fill?: Record<string, string | number>; details?: Record<string, unknown> } = {},
): never {
  const { status, message } = refusals[code] as Refusal
  const text = message.replace(/\{(\w+)\}/g, (whole, name: string) => String(options.fill?.[name] ?? whole))
  throw new CallRefused(status, code, text, options.details)
}
