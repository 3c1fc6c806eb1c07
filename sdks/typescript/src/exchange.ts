import { type ReceivedReply, ReplyChecker, replyToleranceMs } from './check-reply.ts'
import type { Deadline } from './deadline.ts'
import type { FileAnswer } from './download.ts'
import { NotTheFileError, RejectedError, SignetError, UnverifiedError } from './errors.ts'
import type { Settings } from './options.ts'
import { importPublicKey } from './public-keys.ts'
import { sealBody } from './sealing.ts'
import { fieldsOf } from './signed-json.ts'
import { version } from './version.ts'
import { type Bytes, concat, newNonce, type RequestParts, type WebKey } from './wire.ts'

export const sdk = `typescript/${version}`
const maxReplyBytes = 1024 * 1024
/** Can be asked twice; another call could use up a key. */
const repeatable = new Set(['init', 'renew', 'heartbeat', 'variable', 'user-variable', 'download'])

type SentRequest = RequestParts & { body: Bytes }
type ExchangeSettings = Pick<
  Settings,
  'serverUrl' | 'app' | 'verificationKey' | 'sealTo' | 'timeoutSeconds' | 'fetch' | 'clock'
>

/** One call: build the request, send it, believe the answer only if everything fits. */
export class Exchange {
  readonly #settings: ExchangeSettings
  readonly #checker: Promise<ReplyChecker>
  readonly #sealTo: Promise<WebKey> | undefined
  #offsetMs = 0

  constructor(settings: ExchangeSettings) {
    this.#settings = settings
    this.#checker = importPublicKey('ed25519', settings.verificationKey).then((key) => new ReplyChecker(key))
    this.#sealTo = settings.sealTo && importPublicKey('x25519', settings.sealTo)
    // Their failures are raised by the first call.
    for (const key of [this.#checker, this.#sealTo]) key?.catch(() => undefined)
  }

  /** This computer's clock, corrected by what the server said about its own. Unix milliseconds. */
  now(): number {
    return this.#settings.clock() + this.#offsetMs
  }

  /**
   * The fields of a verified yes. Asks once more if the clocks differed, and once more if the answer was lost and the
   * call can be repeated.
   * @throws {SignetError}, or the reason of the deadline's signal
   */
  async call(
    name: string,
    fields: object,
    session: string | undefined,
    deadline: Deadline,
  ): Promise<Record<string, unknown>> {
    const body = bodyToSend(fields)
    let mayCorrectClock = true
    let mayRepeat = repeatable.has(name)
    for (;;) {
      try {
        return await this.#ask(name, body, session, deadline)
      } catch (error) {
        if (mayCorrectClock && wasClock(error, name)) mayCorrectClock = false
        else if (mayRepeat && wasLost(error)) mayRepeat = false
        else throw error
      }
    }
  }

  /** Says something whose answer matters to nobody. */
  async tell(name: string, session: string, deadline: Deadline): Promise<void> {
    await this.#post(await this.#request(name, concat('{}'), session), deadline)
  }

  /**
   * The bytes of a file from `start` on, or all of them if the server gives no part; not verified.
   * @throws {UnverifiedError} `NETWORK`, also while they come
   */
  async openFile(
    { url, sha256 }: { url: string; sha256: string },
    start: number,
    deadline: Deadline,
  ): Promise<FileAnswer> {
    const range = { range: `bytes=${start}-`, 'if-range': `"${sha256}"` }
    try {
      deadline.restart()
      const response = await deadline.race(
        this.#settings.fetch(this.#settings.serverUrl + url, {
          headers: { ...ownHeaders, ...(start > 0 && range) },
          redirect: 'manual',
          cache: 'no-store',
          credentials: 'omit',
          signal: deadline.signal,
        }),
      )
      const isRest = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${start}-`)
      if (response.status === 200 || isRest) return { start: isRest ? start : 0, chunks: chunksOf(response, deadline) }
      void response.body?.cancel().catch(() => undefined)
      if (response.status === 429 || response.status >= 500) {
        throw new UnverifiedError('NETWORK', `The server answers ${response.status}.`)
      }
      throw new NotTheFileError(response.status)
    } catch (error) {
      throw networkError(error, deadline)
    }
  }

  async #ask(
    name: string,
    body: Bytes,
    session: string | undefined,
    deadline: Deadline,
  ): Promise<Record<string, unknown>> {
    const request = await this.#request(name, body, session)
    const startedAt = this.#settings.clock()
    const started = performance.now()
    const reply = await this.#post(request, deadline)
    const tookMs = performance.now() - started
    if (tookMs > replyToleranceMs) {
      throw new UnverifiedError('STALE_RESPONSE', "The server's answer took more than a minute.")
    }
    const offsetTo = (serverTime: number) => serverTime - (startedAt + tookMs / 2)
    const checker = await this.#checker
    try {
      const serverTime = await checker.check(request, reply, this.now())
      return answerOf(reply, () => (this.#offsetMs = offsetTo(serverTime)))
    } catch (error) {
      if (error instanceof UnverifiedError && error.serverTime !== undefined) {
        this.#offsetMs = offsetTo(error.serverTime)
      }
      throw error
    }
  }

  async #request(name: string, plain: Bytes, session: string | undefined): Promise<SentRequest> {
    const path = `/api/1.0/client/${name}`
    const place = { path, app: this.#settings.app, nonce: newNonce(), time: String(Math.trunc(this.now())), session }
    const publicKey = await this.#sealTo
    return { ...place, body: publicKey ? await sealBody({ ...place, publicKey, body: plain }) : plain }
  }

  /**
   * A second time, with the same bytes, only if no answer came: perhaps a kept connection was closed meanwhile. A
   * server that got the first rejects the second.
   */
  async #post(request: SentRequest, deadline: Deadline): Promise<ReceivedReply> {
    try {
      const response = await this.#send(request, deadline).catch((error: unknown) => {
        // What runs over sockets knows whether a kept connection was closed, and has tried again.
        if (deadline.signal.aborted || error instanceof SignetError) throw error
        return this.#send(request, deadline)
      })
      const body = await bodyOf(response, deadline)
      return { status: response.status, headers: Object.fromEntries(response.headers), body }
    } catch (error) {
      throw networkError(error, deadline)
    }
  }

  #send({ path, app, nonce, time, session, body }: SentRequest, deadline: Deadline): Promise<Response> {
    const headers: Record<string, string> = {
      ...ownHeaders,
      'content-type': this.#sealTo ? 'application/octet-stream' : 'application/json',
      'x-signet-app': app,
      'x-signet-nonce': nonce,
      'x-signet-time': time,
    }
    if (session !== undefined) headers['x-signet-session'] = session
    return deadline.race(
      this.#settings.fetch(this.#settings.serverUrl + path, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        cache: 'no-store',
        credentials: 'omit',
        signal: deadline.signal,
      }),
    )
  }
}

/** A browser sends its own, and asks the server's permission for others. */
const ownHeaders: Record<string, string> =
  'document' in globalThis || 'importScripts' in globalThis
    ? {}
    : { 'user-agent': `signet-${sdk}`, 'accept-encoding': 'identity' }

function bodyToSend(fields: object): Bytes {
  try {
    return concat(JSON.stringify(fields))
  } catch (cause) {
    throw new SignetError('MALFORMED_REQUEST', `This can't be sent: ${(cause as Error).message}`, { cause })
  }
}

async function* chunksOf({ body }: Response, deadline: Deadline): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (;;) {
      const { done, value } = await nextOf(reader, deadline)
      if (done) return
      yield value
    }
  } catch (error) {
    throw networkError(error, deadline)
  } finally {
    void reader?.cancel().catch(() => undefined)
  }
}

async function bodyOf(response: Response, deadline: Deadline): Promise<Bytes> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = await nextOf(reader, deadline)
    if (done) return concat(...chunks)
    length += value.length
    chunks.push(value)
    if (length > maxReplyBytes) {
      void reader?.cancel().catch(() => undefined)
      throw new UnverifiedError('NETWORK', 'The answer is larger than any answer of a Signet server.')
    }
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

const nextOf = async (reader: Reader | undefined, deadline: Deadline) =>
  reader ? deadline.race(reader.read()) : { done: true as const, value: undefined }

/** The fields of a success; only status 200 and `"success": true` are one. */
export function answerOf({ status, body }: ReceivedReply, correctClock?: () => void): Record<string, unknown> {
  const fields = fieldsOf(body)
  if (typeof fields?.['success'] !== 'boolean') {
    throw new SignetError('MALFORMED_REPLY', "The server's signed answer is not of this protocol.")
  }
  if (fields['success'] && status === 200) return fields
  const { success, code, message, ...details } = fields
  if (success || typeof code !== 'string' || code === '' || typeof message !== 'string') {
    throw new SignetError('MALFORMED_REPLY', "The server's signed answer has no error and is no success.")
  }
  if (code === 'CLOCK_SKEW') correctClock?.()
  throw new RejectedError(code, message, status, details)
}

const wasClock = (error: unknown, name: string): boolean =>
  error instanceof RejectedError
    ? error.code === 'CLOCK_SKEW'
    : error instanceof UnverifiedError && error.serverTime !== undefined && repeatable.has(name)

/** The server got the first of the same bytes sent twice; that answer is gone. */
const wasLost = (error: unknown): boolean => error instanceof RejectedError && error.code === 'NONCE_REUSED'

/** What to throw for anything that went wrong on the way to the server. */
function networkError(cause: unknown, { signal }: Deadline): unknown {
  if (signal.aborted) return signal.reason
  if (cause instanceof SignetError) return cause
  const { message, cause: deeper } = cause as Error
  const reason = deeper instanceof Error ? `${message}: ${deeper.message}` : message
  return new UnverifiedError('NETWORK', `The server cannot be reached: ${reason}`, { cause })
}
