import { randomUUID } from 'node:crypto'
import type { Database } from '#database/database.ts'

/** The word that earlier releases listen for; both run side by side during an upgrade. */
const channel = 'peers'
const flushMs = 10
/** PostgreSQL limits a notification to 8,000 bytes. */
const maxMessageBytes = 7500

type Listener = (entries: readonly string[]) => void

/**
 * Messages between the processes of one database about in-memory state, such as counts. They are batched, sent within
 * milliseconds, and not sent while a process is alone. A process that misses a message only knows its own counts.
 */
export class InstanceMessages {
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  readonly #id = randomUUID().slice(0, 8)
  readonly #listeners = new Map<string, Listener>()
  readonly #pending = new Map<string, string[]>()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
    db.events.on(channel, (message) => this.#hear(message))
  }

  /** Whether another process is listening. */
  get hasOtherInstances(): boolean {
    return this.#db.hasOtherInstances
  }

  on(kind: string, listener: Listener): void {
    this.#listeners.set(kind, listener)
  }

  send(kind: string, entry: string): void {
    if (!this.hasOtherInstances) return
    const entries = this.#pending.get(kind)
    if (entries) entries.push(entry)
    else this.#pending.set(kind, [entry])
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Resolves when all previous messages have been sent. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const messages = [...this.#pending].flatMap(([kind, entries]) => messagesOf(kind, entries))
    this.#pending.clear()
    this.#sending = this.#sending.then(async () => {
      for (const message of messages) {
        await this.#db.announce(`${channel}:${this.#id}:${message}`).catch(this.#onError)
      }
    })
    return this.#sending
  }

  #hear(message: string): void {
    const [id, kind, ...rest] = message.split(':')
    if (id === this.#id || kind === undefined) return
    this.#listeners.get(kind)?.(JSON.parse(rest.join(':')) as string[])
  }
}

/** As many entries as fit into one message: `kind:["entry","entry"]`. */
function messagesOf(kind: string, entries: readonly string[]): string[] {
  const messages: string[] = []
  let texts: string[] = []
  let bytes = 0
  for (const entry of entries) {
    const text = JSON.stringify(entry)
    const length = Buffer.byteLength(text) + 1
    if (length > maxMessageBytes) continue
    if (bytes + length > maxMessageBytes) {
      messages.push(`${kind}:[${texts.join()}]`)
      texts = []
      bytes = 0
    }
    texts.push(text)
    bytes += length
  }
  return [...messages, `${kind}:[${texts.join()}]`]
}
