import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, usage } from './failures.ts'
import { UnreadRows } from './unread-rows.ts'

/** Calls of the seller API, which waits out rate limits and never does one thing twice. */

export type Query = Record<string, string | number | boolean | undefined>

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Query | undefined
  body?: object | undefined
  /** Sent as `multipart/form-data`; such a call is not repeated after a lost connection. */
  form?: FormData | undefined
}

export interface Reply {
  success: boolean
  message?: string
  code?: string
}

interface ErrorReply extends Reply {
  field?: string
  requestId?: string
}

export interface SellerApiOptions {
  url: string
  key: string
  /** For waiting and for answers of each call. */
  timeoutMs: number
  userAgent: string
  /** The caller's own, so that running a command again doesn't do it twice. */
  idempotencyKey: string | undefined
  onWait: (seconds: number) => void
}

const pausesMs = [250, 1000]
const maxAnswerBytes = 16 * 1024 * 1024

/** A name as one part of a path. */
export function part(name: string): string {
  // A URL resolves these two however they are encoded.
  if (name === '' || name === '.' || name === '..') throw usage(`"${name}" is no name that the API can find`)
  return encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*.~_]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export class SellerApi {
  readonly url: string
  readonly #options: SellerApiOptions

  constructor(options: SellerApiOptions) {
    this.url = options.url
    this.#options = options
  }

  get<T>(path: string, query?: Query): Promise<T & Reply> {
    return this.#send<T>({ method: 'GET', path, query })
  }

  post<T>(path: string, body: object = {}): Promise<T & Reply> {
    return this.#send<T>({ method: 'POST', path, body })
  }

  put<T>(path: string, body: object): Promise<T & Reply> {
    return this.#send<T>({ method: 'PUT', path, body })
  }

  delete<T>(path: string): Promise<T & Reply> {
    return this.#send<T>({ method: 'DELETE', path })
  }

  upload<T>(path: string, form: FormData): Promise<T & Reply> {
    return this.#send<T>({ method: 'POST', path, form })
  }

  /** The events after one of them, until the signal ends the stream. */
  async stream(path: string, lastEventId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const opening = new AbortController()
    const timer = setTimeout(() => opening.abort(), this.#options.timeoutMs)
    const answer = await fetch(`${this.url}/api/1.0/seller${path}`, {
      headers: {
        ...this.#headers(),
        accept: 'text/event-stream',
        ...(lastEventId && { 'last-event-id': lastEventId }),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, opening.signal]),
    })
      .catch((error: unknown) => this.#noConnection(error))
      .finally(() => clearTimeout(timer))
    if (answer instanceof Failure) throw answer
    if (!answer.ok) throw await this.#rejection(answer)
    if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream'))
      throw new Failure('unavailable', `${this.url} answered ${answer.status}, but not as a Signet server`)
    return answer.body
  }

  /** All rows of a list, page by page, each once, although others come and go meanwhile. */
  async *pages<T>(path: string, query: Query, field: string, idOf: (row: T) => string): AsyncGenerator<T[]> {
    const seen = new Set<string>()
    const unread = new UnreadRows()
    for (let isLast = false; !isLast;) {
      const page = unread.next()
      const reply = await this.get<Record<string, T[]> & { total: number }>(path, { ...query, ...page })
      const rows = reply[field] ?? []
      yield rows.filter((row) => !seen.has(idOf(row)) && seen.add(idOf(row)))
      isLast = unread.isLast(page, { total: reply.total, rows: rows.length })
    }
  }

  async #send<T>(call: Call): Promise<T & Reply> {
    const { timeoutMs, onWait } = this.#options
    const deadline = Date.now() + timeoutMs
    const idempotencyKey = this.#options.idempotencyKey ?? randomUUID()
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#attempt(call, idempotencyKey, deadline)
      if (answer instanceof Response) {
        const failure = answer.ok ? undefined : answer
        if (!failure) return (await this.#document(answer)) as T & Reply
        const waitMs = this.#waitMs(failure, attempt)
        if (waitMs === undefined || Date.now() + waitMs > deadline) throw await this.#rejection(failure)
        await failure.body?.cancel()
        if (failure.status === 429) onWait(waitMs / 1000)
        await sleep(waitMs)
        continue
      }
      const pause = pausesMs[attempt]
      if (pause === undefined || call.form || call.method === 'DELETE' || Date.now() + pause > deadline) throw answer
      await sleep(pause)
    }
  }

  /** The answer, or why there is none. */
  async #attempt(
    { method, path, query, body, form }: Call,
    once: string,
    deadline: number,
  ): Promise<Response | Failure> {
    const { url } = this.#options
    const search = Object.entries(query ?? {}).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const address = `${url}/api/1.0/seller${path}${search.length > 0 ? `?${new URLSearchParams(search)}` : ''}`
    try {
      return await fetch(address, {
        method,
        headers: {
          ...this.#headers(),
          accept: 'application/json',
          ...(method !== 'GET' && method !== 'DELETE' && { 'idempotency-key': once }),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: form ?? (body ? JSON.stringify(body) : null),
        // Another address gets neither the key nor the body.
        redirect: 'manual',
        // An upload takes as long as its bytes.
        ...(!form && { signal: AbortSignal.timeout(Math.max(1, deadline - Date.now())) }),
      })
    } catch (error) {
      return this.#noConnection(error)
    }
  }

  #headers(): Record<string, string> {
    const { key, userAgent } = this.#options
    return { authorization: `Bearer ${key}`, 'user-agent': userAgent }
  }

  #noConnection(error: unknown): Failure {
    return new Failure('unavailable', `No connection to ${this.url} (${reasonOf(error)})`)
  }

  #waitMs({ status, headers }: Response, attempt: number): number | undefined {
    if (status !== 429 && !(status === 503 && attempt < pausesMs.length)) return undefined
    const seconds = Number(headers.get('retry-after') || Number.NaN)
    return Number.isFinite(seconds) ? Math.max(0.25, seconds) * 1000 : (pausesMs[attempt] ?? 5000)
  }

  async #document(answer: Response): Promise<Reply> {
    const { url } = this.#options
    const text = await textOf(answer).catch((error: unknown) => {
      if (error instanceof Failure) throw error
      throw new Failure('unavailable', `The answer of ${url} broke off (${reasonOf(error)})`)
    })
    const reply = parsed(text)
    if (reply && typeof reply.success === 'boolean') return reply
    const location = answer.headers.get('location')
    const place = location && URL.canParse(location, url) ? new URL(location, url).origin : undefined
    if (answer.status >= 300 && answer.status < 400)
      throw new Failure(
        'unavailable',
        `${url} redirects${place ? ` to ${place}` : ''}. Use the address of the server itself`,
      )
    throw new Failure('unavailable', `${url} answered ${answer.status}, but not as a Signet server`)
  }

  async #rejection(answer: Response): Promise<Failure> {
    const reply: ErrorReply = await this.#document(answer)
    const { message = 'No reason given', code = String(answer.status), field, requestId } = reply
    const details = [code, ...(field ? [`field: ${field}`] : []), ...(requestId ? [`request ${requestId}`] : [])]
    const kind =
      answer.status >= 500 ? 'unavailable' : code === 'SELLER_KEY_INVALID' ? 'notSignedIn' : ('rejected' as const)
    return new Failure(kind, `${message} (${details.join('; ')})`, reply)
  }
}

async function textOf({ body, url }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes)
      throw new Failure('unavailable', `The answer of ${new URL(url).origin} is larger than any of a Signet server`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function parsed(text: string): ErrorReply | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as ErrorReply) : undefined
  } catch {
    return undefined
  }
}

/** A code such as ECONNREFUSED, never a message, which could contain a header. */
function reasonOf(error: unknown): string {
  if (error instanceof DOMException) return error.name === 'TimeoutError' ? 'no answer in time' : error.name
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  return code ?? 'the connection broke'
}
