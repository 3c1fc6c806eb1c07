import type { Calls } from '#contract/calls.ts'

export interface Answer<T = Record<string, unknown>> {
  status: number
  body: T & { success: boolean; message: string; code?: string; requestId?: string }
  headers: Headers
}

export type CallInput<K extends keyof Calls> = {
  query?: Calls[K]['query']
  body?: Calls[K]['body']
  params?: Calls[K]['params']
  headers?: Record<string, string>
  /** Sends the body as a form with this file. */
  file?: Blob | undefined
}

function formOf(fields: object = {}, file: Blob): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  form.append('file', file)
  return form
}

/** The first event of a stream, which is then closed. */
export async function firstEvent({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!/event: [^]*\n\n/.test(text)) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  await reader?.cancel()
  return text
}

/** An HTTP client with a browser's cookies and CSRF token. */
export class Visitor {
  readonly #url: string
  readonly #cookies = new Map<string, string>()
  csrf = ''
  /** Number of replies received so far. */
  answered = 0
  /** Sent as `X-App-Id` if set. */
  appId: string | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Makes a call by its literal, typed by the contracts. */
  call<K extends keyof Calls & string>(key: K, input: CallInput<K> = {}): Promise<Answer<Calls[K]['reply'] & object>> {
    const [method, path] = key.split(' ') as [string, string]
    return this.send(method, `/api/1.0/website${path}`, input as Record<string, object>)
  }

  /** Sends any request, also ones no contract allows. */
  async send<T = Record<string, unknown>>(
    method: string,
    path: string,
    input: {
      query?: object
      body?: unknown
      params?: object
      headers?: Record<string, string>
      file?: Blob | undefined
    } = {},
  ): Promise<Answer<T>> {
    if (method !== 'GET' && this.csrf === '') await this.send('GET', '/api/1.0/website/check-auth')
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String((input.params as Record<string, unknown>)?.[name])),
    )
    const query = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined)
    const search = query.length > 0 ? `?${new URLSearchParams(query as [string, string][]).toString()}` : ''
    const form =
      input.file && typeof input.body !== 'string' ? formOf(input.body as object | undefined, input.file) : undefined
    const response = await fetch(this.#url + filled + search, {
      method,
      headers: {
        ...(input.body !== undefined && !form && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { 'x-csrf-token': this.csrf }),
        ...(this.#cookies.size > 0 && { cookie: this.cookieHeader() }),
        ...(this.appId && { 'x-app-id': this.appId }),
        ...input.headers,
      },
      body: form
        ? form
        : input.body === undefined
          ? null
          : typeof input.body === 'string'
            ? input.body
            : JSON.stringify(input.body),
    })
    this.#keepCookies(response)
    this.csrf = response.headers.get('x-csrf-token') ?? this.csrf
    const streams = response.headers.get('content-type')?.startsWith('text/event-stream')
    const text = streams ? await firstEvent(response) : await response.text()
    this.answered += 1
    const json = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : { text } }
  }

  cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (!name) continue
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value ?? '')
    }
  }
}
