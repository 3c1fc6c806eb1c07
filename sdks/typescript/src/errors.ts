/** Failures of this side: whoever answered was not proven to be the server, so nothing is known about the license. */
export type UnprovenCode = 'NETWORK' | 'UNSIGNED_RESPONSE' | 'BAD_SIGNATURE' | 'UNKNOWN_KEY' | 'STALE_RESPONSE'

/** Something that stands between the program and a yes. `code` is for programs, `message` for people. */
export class SignetError extends Error {
  override name = 'SignetError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** No provable word from the server. */
export class UnprovenError extends SignetError {
  override name = 'UnprovenError'
  declare readonly code: UnprovenCode
  /** Of a rightly signed answer that is not of now: what the server's clock shows, unix milliseconds. */
  readonly serverTime: number | undefined

  constructor(code: UnprovenCode, message: string, { serverTime, ...options }: UnprovenOptions = {}) {
    super(code, message, options)
    this.serverTime = serverTime
  }
}

interface UnprovenOptions extends ErrorOptions {
  serverTime?: number
}

/** The server said no, in a signed answer. Its codes stand in docs/protocol.md. */
export class RefusedError extends SignetError {
  override name = 'RefusedError'
  readonly status: number
  /** The other fields of the answer. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, status: number, details: Record<string, unknown>) {
    super(code, message)
    this.status = status
    this.details = details
  }

  /** Whether asking again as it is can't change the answer. */
  get isFinal(): boolean {
    const isPassing = this.status === 429 || this.status >= 500
    return !isPassing && this.code !== 'NONCE_REUSED' && this.code !== 'CLOCK_SKEW'
  }

  /** How long the server asks to wait. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.details['retryAfterSeconds']
    return typeof seconds === 'number' && seconds > 0 ? seconds : undefined
  }

  /** What the app's owner can look this refusal up by. */
  get requestId(): string | undefined {
    return this.#text('requestId')
  }

  /** Where the newer version is, when the code is `VERSION_OUTDATED` and the owner set a link. */
  get downloadUrl(): string | undefined {
    return this.#text('downloadUrl')
  }

  #text(name: string): string | undefined {
    const value = this.details[name]
    return typeof value === 'string' ? value : undefined
  }
}

/** Whether the server itself said a no that stays one. */
export const isFinalRefusal = (error: unknown): error is RefusedError => error instanceof RefusedError && error.isFinal
