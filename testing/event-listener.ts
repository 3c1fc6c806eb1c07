import type { Seller } from './people/sellers.ts'
import type { TestApp } from './start-test-app.ts'
import type { Visitor } from './people/visitor.ts'

export interface HeardEvent {
  id: string
  event: string
  data: Record<string, unknown>
}

/** Reads an event stream, like a browser's `EventSource`, but without reconnecting. */
export class EventListener {
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #left = new AbortController()
  readonly #decoder = new TextDecoder()
  #text = ''
  /** Number of received comments. */
  comments = 0

  private constructor(response: Response, left: AbortController) {
    this.response = response
    this.#left = left
    this.#reader = response.body?.getReader()
  }

  static async open(
    app: Pick<TestApp, 'url'>,
    visitor: Visitor,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<EventListener> {
    const left = new AbortController()
    const response = await fetch(`${app.url}/api/1.0/website${path}`, {
      headers: { cookie: visitor.cookieHeader(), ...headers },
      signal: left.signal,
    })
    return new EventListener(response, left)
  }

  /** The same on the seller API. */
  static async openAsSeller(
    app: Pick<TestApp, 'url'>,
    { key }: Seller,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<EventListener> {
    const left = new AbortController()
    const response = await fetch(`${app.url}/api/1.0/seller${path}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: left.signal,
    })
    return new EventListener(response, left)
  }

  /** The next event; undefined after the end of the stream. */
  async next(): Promise<HeardEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        if (block.startsWith(':')) this.comments += 1
        const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
        const event = fields.get('event')
        if (event !== undefined) {
          return {
            id: fields.get('id') ?? '',
            event,
            data: JSON.parse(fields.get('data') ?? '{}') as HeardEvent['data'],
          }
        }
        continue
      }
      const { done, value } = (await this.#reader?.read()) ?? { done: true, value: undefined }
      if (done) return undefined
      this.#text += this.#decoder.decode(value, { stream: true })
    }
  }

  leave(): void {
    this.#left.abort()
  }
}
