import { fieldsOf, type ReceivedReply, ReplyChecker, replyToleranceMs } from './check-reply.ts'
import type { FileAnswer } from './download.ts'
import { RefusedError, SignetError, UnprovenError } from './errors.ts'
import { importPublicKey } from './public-keys.ts'
import { sealBody } from './sealing.ts'
import { version } from './version.ts'
import { type Bytes, concat, newNonce, type RequestParts, type WebKey } from './wire.ts'

export const sdk = `typescript/${version}`
const maxReplyBytes = 1024 * 1024
/** May safely be asked twice; another call could use up a key. */
const repeatable = new Set(['init', 'heartbeat', 'variable', 'user-variable', 'download'])

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
/** Resolves after so many seconds, or at once when the signal aborts. */
export type Wait = (seconds: number, signal?: AbortSignal) => Promise<void>

export interface ExchangeOptions {
  /** Scheme, host and port. */
  serverUrl: string
  /** `X-Signet-App`. */
  app: string
  rootPublicKey: Bytes
  /** The app's X25519 key, when bodies are to be sealed. */
  sealTo: Bytes | undefined
  timeoutSeconds: number
  maxWaitSeconds: number
  fetch: Fetch
  /** Unix milliseconds. */
  clock: () => number
  wait: Wait
}

/** One call: build the request, send it, believe the answer only when everything fits. */
export class Exchange {
  readonly #options: ExchangeOptions
  readonly #checker: Promise<ReplyChecker>
  readonly #sealTo: Promise<WebKey> | undefined
  #offsetMs = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#checker = importPublicKey('ed25519', options.rootPublicKey).then((key) => new ReplyChecker(key))
    this.#sealTo = options.sealTo && importPublicKey('x25519', options.sealTo)
    // Their failures are raised by the first call.
    for (const key of [this.#checker, this.#sealTo]) key?.catch(() => undefined)
  }

  /** This computer's clock, corrected by what the server said about its own. Unix milliseconds. */
  now(): number {
    return this.#options.clock() + this.#offsetMs
  }

  /**
   * The fields of a verified yes. Asks once more when the clocks differed, when the answer was lost on its way and the
   * call may be asked twice, and after the time that a signed 429 or 503 asks to wait, if that is short.
   * @throws {SignetError}
   */
  async call(name: string, fields: object, session: string | undefined): Promise<Record<string, unknown>> {
    const body = concat(JSON.stringify(fields))
    let mayCorrectClock = true
    let mayRepeat = repeatable.has(name)
    let mayWait = true
    for (;;) {
      try {
        return await this.#ask(name, body, session)
      } catch (error) {
        const seconds = waitAskedFor(error)
        if (mayCorrectClock && wasClock(error, name)) mayCorrectClock = false
        else if (mayRepeat && wasLost(error)) mayRepeat = false
        else if (mayWait && seconds !== undefined && seconds <= this.#options.maxWaitSeconds) {
          mayWait = false
          await this.#options.wait(seconds)
        } else throw error
      }
    }
  }

  /**
   * The bytes of a file from `start` on, or all of them where the server gives no part; unproven.
   * @throws {UnprovenError} `NETWORK`, also while they come
   */
  async openFile({ url, sha256 }: { url: string; sha256: string }, start: number): Promise<FileAnswer> {
    const silence = new Silence(this.#options.timeoutSeconds)
    const headers = { range: `bytes=${start}-`, 'if-range': `"${sha256}"` }
    try {
      const response = await this.#options.fetch(this.#options.serverUrl + url, {
        headers: start > 0 ? headers : {},
        redirect: 'manual',
        cache: 'no-store',
        credentials: 'omit',
        signal: silence.signal,
      })
      const isRest = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${start}-`)
      if (response.status === 200 || isRest) return { start: isRest ? start : 0, chunks: chunksOf(response, silence) }
      await response.body?.cancel()
      throw new UnprovenError('NETWORK', `The server answers ${response.status} instead of the file.`)
    } catch (error) {
      silence.end()
      throw networkError(error)
    }
  }

  async #ask(name: string, body: Bytes, session: string | undefined): Promise<Record<string, unknown>> {
    const request = await this.#request(`/api/1.0/client/${name}`, body, session)
    const startedAt = this.#options.clock()
    const started = performance.now()
    const reply = await this.#post(request)
    const tookMs = performance.now() - started
    if (tookMs > replyToleranceMs) {
      throw new UnprovenError('STALE_RESPONSE', "The server's answer was held back for more than a minute.")
    }
    const offsetTo = (serverTime: number) => serverTime - (startedAt + tookMs / 2)
    const checker = await this.#checker
    try {
      const serverTime = await checker.check(request, reply, this.now())
      return answerOf(reply, () => (this.#offsetMs = offsetTo(serverTime)))
    } catch (error) {
      if (error instanceof UnprovenError && error.serverTime !== undefined) this.#offsetMs = offsetTo(error.serverTime)
      throw error
    }
  }

  async #request(path: string, plain: Bytes, session: string | undefined): Promise<RequestParts & { body: Bytes }> {
    const place = { path, app: this.#options.app, nonce: newNonce(), time: String(Math.trunc(this.now())), session }
    const publicKey = await this.#sealTo
    return { ...place, body: publicKey ? await sealBody({ ...place, publicKey, body: plain }) : plain }
  }

  /** A second time, with the same bytes, only when no answer came: a server that took the first refuses the second. */
  async #post(request: RequestParts & { body: Bytes }): Promise<ReceivedReply> {
    try {
      return await this.#postOnce(request)
    } catch (error) {
      if (error instanceof SignetError || (error as Error).name === 'TimeoutError') throw networkError(error)
    }
    return this.#postOnce(request).catch((error: unknown) => {
      throw networkError(error)
    })
  }

  async #postOnce({ path, app, nonce, time, session, body }: RequestParts & { body: Bytes }): Promise<ReceivedReply> {
    const headers: Record<string, string> = {
      'content-type': this.#sealTo ? 'application/octet-stream' : 'application/json',
      'x-signet-app': app,
      'x-signet-nonce': nonce,
      'x-signet-time': time,
    }
    if (session !== undefined) headers['x-signet-session'] = session
    const response = await this.#options.fetch(this.#options.serverUrl + path, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(this.#options.timeoutSeconds * 1000),
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await bodyOf(response) }
  }
}

/** Aborts what has been silent for too long. */
class Silence {
  readonly #controller = new AbortController()
  readonly #ms: number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(seconds: number) {
    this.#ms = seconds * 1000
    this.heard()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(new Error('the server went silent')), this.#ms)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

async function* chunksOf({ body }: Response, silence: Silence): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      silence.heard()
      yield value
    }
  } catch (error) {
    throw networkError(error)
  } finally {
    silence.end()
    await reader?.cancel().catch(() => undefined)
  }
}

async function bodyOf(response: Response): Promise<Bytes> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return concat(...chunks)
    length += value.length
    chunks.push(value)
    if (length > maxReplyBytes) {
      await reader?.cancel()
      throw new UnprovenError('NETWORK', 'The answer is larger than any answer of a Signet server.')
    }
  }
}

function answerOf({ status, body }: ReceivedReply, correctClock: () => void): Record<string, unknown> {
  const fields = fieldsOf(body)
  if (typeof fields?.['success'] !== 'boolean') {
    throw new SignetError('MALFORMED_REPLY', "The server's signed answer is not of this protocol.")
  }
  if (fields['success'] && status === 200) return fields
  const { success: _success, code, message, ...details } = fields
  if (typeof code !== 'string' || typeof message !== 'string') {
    throw new SignetError('MALFORMED_REPLY', "The server's signed refusal gives no reason.")
  }
  if (code === 'CLOCK_SKEW') correctClock()
  throw new RefusedError(code, message, status, details)
}

const wasClock = (error: unknown, name: string): boolean =>
  error instanceof RefusedError
    ? error.code === 'CLOCK_SKEW'
    : error instanceof UnprovenError && error.serverTime !== undefined && repeatable.has(name)

/** The server had taken the first of the same bytes sent twice; what it answered is gone. */
const wasLost = (error: unknown): boolean => error instanceof RefusedError && error.code === 'NONCE_REUSED'

const waitAskedFor = (error: unknown): number | undefined =>
  error instanceof RefusedError && !error.isFinal ? error.retryAfterSeconds : undefined

function networkError(cause: unknown): SignetError {
  if (cause instanceof SignetError) return cause
  const { message, cause: deeper } = cause as Error
  const reason = deeper instanceof Error ? `${message}: ${deeper.message}` : message
  return new UnprovenError('NETWORK', `The server cannot be reached: ${reason}`, { cause })
}
