import { codes, type MessageLanguage, type SignetCode, type Verdict } from './codes.ts'

/** Your own sentences for customers: by code, or a function. Undefined for the built-in one. */
export type MessageSource = Readonly<Record<string, string | undefined>> | ((error: SignetError) => string | undefined)

/** Sentences for customers, in one language. */
export class Messages {
  readonly #language: MessageLanguage
  readonly #own: MessageSource | undefined

  constructor(language: MessageLanguage, own?: MessageSource) {
    this.#language = language
    this.#own = own
  }

  /** Your own sentence, else the one of sdks/codes.json; a newer server's code has a general one. */
  of(error: SignetError): string {
    const { code } = error
    const own = typeof this.#own === 'function' ? this.#own(error) : this.#own && ownValue(this.#own, code)
    return own || codes[isKnown(code) ? code : 'INTERNAL_ERROR'].message[this.#language]
  }
}

const ownValue = (texts: Readonly<Record<string, string | undefined>>, code: string): string | undefined =>
  Object.hasOwn(texts, code) ? texts[code] : undefined
const isKnown = (code: string): code is SignetCode => Object.hasOwn(codes, code)
const english = new Messages('en')

export interface SignetErrorOptions extends ErrorOptions {
  status?: number
  details?: Record<string, unknown>
}

/**
 * What stands between the program and a yes. `code` is for programs, `message` is English and for logs; show
 * `customerMessage` to customers.
 */
export class SignetError extends Error {
  override name = 'SignetError'
  /** One of `SignetCode`, or a newer server's. */
  readonly code: string
  /** Of HTTP, of a signed error; 0 for errors of this client. */
  readonly status: number
  /** The other fields of a signed error. */
  readonly details: Readonly<Record<string, unknown>>
  #messages = english

  constructor(code: string, message: string, { status = 0, details = {}, ...options }: SignetErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.status = status
    this.details = details
  }

  /** Sets the language of `customerMessage`. */
  speak(messages: Messages): void {
    this.#messages = messages
  }

  /** A sentence for the customer, in the client's language. */
  get customerMessage(): string {
    return this.#messages.of(this)
  }

  /** What this says about the license. */
  get verdict(): Verdict {
    if (this.status === 429 || this.status >= 500) return 'temporary'
    const known = isKnown(this.code) ? codes[this.code].verdict : 'request'
    if (this.status === 0) return known === 'lost' ? 'request' : known
    // A signed answer comes from the server, whatever its code says.
    return known === 'unverified' ? 'request' : known
  }

  /** Whether this says nothing about the license, so that asking again later can help. */
  get isTemporary(): boolean {
    return this.verdict === 'temporary' || this.verdict === 'unverified'
  }

  /** How long the server asks to wait. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.details['retryAfterSeconds']
    return typeof seconds === 'number' && seconds > 0 && seconds < 1e9 ? seconds : undefined
  }

  /** By which the app's owner finds this error in the log. */
  get requestId(): string | undefined {
    return this.#text('requestId')
  }

  /** Where the newer version is, if the code is `VERSION_OUTDATED` and the owner set a link. */
  get downloadUrl(): string | undefined {
    return this.#text('downloadUrl')
  }

  #text(name: string): string | undefined {
    const value = this.details[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
}

/** An option that can't work. Its message never contains the option's value, which can be a password. */
export const invalidOption = (message: string, cause?: unknown): SignetError =>
  new SignetError('INVALID_CONFIGURATION', message, { cause })

/** Nobody knows who answered, so nothing is known about the license. */
export type UnverifiedCode =
  | 'NETWORK'
  | 'FINGERPRINT_MISMATCH'
  | 'UNSIGNED_RESPONSE'
  | 'BAD_SIGNATURE'
  | 'UNKNOWN_KEY'
  | 'STALE_RESPONSE'

/** No verifiable answer from the server. */
export class UnverifiedError extends SignetError {
  override name = 'UnverifiedError'
  declare readonly code: UnverifiedCode
  /** Of a validly signed answer that is not of now: what the server's clock shows, unix milliseconds. */
  readonly serverTime: number | undefined

  constructor(
    code: UnverifiedCode,
    message: string,
    { serverTime, ...options }: ErrorOptions & { serverTime?: number } = {},
  ) {
    super(code, message, options)
    this.serverTime = serverTime
  }
}

/** The call took longer than it may, or a file was silent for too long. */
export class TimeIsUpError extends UnverifiedError {
  constructor(seconds: number) {
    super('NETWORK', `The server did not answer within ${seconds} s.`)
  }
}

/** Something else stands where the bytes of a file should be, so that asking again doesn't help. */
export class NotTheFileError extends UnverifiedError {
  constructor(status: number) {
    super('NETWORK', `The server answers ${status} instead of the file.`)
  }
}

/** The server said no, in a signed answer. docs/protocol.md lists its codes. */
export class RejectedError extends SignetError {
  override name = 'RejectedError'

  constructor(code: string, message: string, status: number, details: Record<string, unknown>) {
    super(code, message, { status, details })
  }
}
