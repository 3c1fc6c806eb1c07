import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { commonErrors } from '#contract/common-errors.ts'
import { CallError, reject } from '#contract/errors.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { perServer, type Services } from '../services.ts'

/** One server-sent event, as received by a browser's `EventSource`. */
export interface StreamEvent {
  /** Where a client resumes after a disconnect: it is sent back as `Last-Event-ID`. Must be one line. */
  id?: string | undefined
  /** Event type. */
  event: string
  data: object
}

/** The reply of a call that streams events. */
export interface EventFeed {
  /** The event bus topic that announces new events (event-bus.ts). */
  topic: { kind: string; id: string }
  /** Returns events since the previous call; called first when the stream opens. A call error ends the stream. */
  next: () => Promise<StreamEvent[]>
  /** Called every 15 seconds; a call error ends the stream. Returns the event to send in place of a comment, if any. */
  beat?: () => Promise<StreamEvent | void>
  /** `next` may return only some events: it is called again once the reader has taken them, until it returns none. */
  hasPortions?: boolean
  /** Maximum number of streams of this kind per owner; defaults to `maxStreamsOfOwner`. */
  maxOfOwner?: number
}

export interface StreamCaller {
  ownerId: string
  /** Throws a call error when the caller may no longer listen. */
  requireAccess: () => Promise<void>
}

const beatMs = 15_000
const retryMs = 2000
/** Per process, and per owner: each stream is a connection. */
export const maxStreams = 1000
export const maxStreamsOfOwner = 20
/** Maximum buffered bytes per reader. */
export const maxUnreadBytes = 128 * 1024
/** Maximum event size of a feed: with larger events, readers would be taken for slow ones. */
export const maxEventBytes = maxUnreadBytes / 2

interface Stream {
  response: ServerResponse
  feed: EventFeed
  caller: StreamCaller
  isPumping: boolean
  /** Something was published while events were being read. */
  isDue: boolean
}

/**
 * The open event streams of a process. An idle stream costs only its socket: events are announced by the event bus,
 * also from other processes, and read from the tables. A reader that is too slow is disconnected and resumes with
 * `Last-Event-ID`.
 */
export class EventStreams {
  readonly #services: Services
  readonly #max: number
  readonly #streams = new Set<Stream>()
  readonly #kinds = new Set<string>()
  readonly #beat: NodeJS.Timeout
  #isClosed = false

  constructor(services: Services, max = maxStreams) {
    this.#services = services
    this.#max = max
    this.#beat = setInterval(() => void this.beat(), beatMs).unref()
  }

  get size(): number {
    return this.#streams.size
  }

  /**
   * Where the process is full, the newest stream of the owner with the most gives way.
   * @throws `RATE_LIMITED` when the owner has too many; `SERVER_BUSY` when no account has more, or while the server stops
   */
  open(reply: FastifyReply, feed: EventFeed, caller: StreamCaller): void {
    const details = { retryAfterSeconds: beatMs / 1000 }
    if (this.#isClosed) reject(commonErrors, 'SERVER_BUSY', { details })
    const streams = this.#streamsOf(caller.ownerId)
    const own = streams.length
    const ofKind = streams.filter((each) => each.feed.topic.kind === feed.topic.kind).length
    if (ofKind >= (feed.maxOfOwner ?? maxStreamsOfOwner)) reject(commonErrors, 'RATE_LIMITED', { details })
    const isFull = this.#streams.size >= this.#max
    if (isFull && !this.#closeNewestOfLargest(own)) reject(commonErrors, 'SERVER_BUSY', { details })
    this.#listenTo(feed.topic.kind)
    reply.hijack()
    const response = reply.raw
    // The client has left already, and nothing would end its stream.
    if (response.destroyed) return
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value)
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Prevents buffering by proxies such as nginx.
      'x-accel-buffering': 'no',
    })
    response.write(`retry: ${retryMs}\n\n`)
    const stream: Stream = { response, feed, caller, isPumping: false, isDue: false }
    this.#streams.add(stream)
    response.once('close', () => this.#streams.delete(stream))
    void this.#pump(stream)
  }

  /**
   * Sends a comment to each stream to keep proxies from closing it; closes streams whose caller may no longer listen or
   * does not read. `kind` limits it to the streams of one kind of topic.
   */
  async beat(kind?: string): Promise<void> {
    for (const stream of this.#streams) {
      if (kind !== undefined && stream.feed.topic.kind !== kind) continue
      let text = ': still here\n\n'
      const check = async () => {
        const event = await this.#checkBeat(stream)
        if (event) text = eventText(event)
      }
      if (await this.#isAllowed(stream, check)) this.#write(stream, text)
    }
  }

  /** The IDs of the topics of a kind that have an open stream. */
  openTopics(kind: string): Set<string> {
    const topics = [...this.#streams].map(({ feed }) => feed.topic)
    return new Set(topics.filter((topic) => topic.kind === kind).map(({ id }) => id))
  }

  /** Closes all streams and accepts no new ones. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#beat)
    for (const { response } of this.#streams) response.end()
  }

  #streamsOf(ownerId: string): Stream[] {
    return [...this.#streams].filter((each) => each.caller.ownerId === ownerId)
  }

  /**
   * False if no other owner has at least two more streams than the caller: otherwise, disconnected clients would
   * reconnect and displace each other.
   */
  #closeNewestOfLargest(own: number): boolean {
    const counts = new Map<string, number>()
    for (const { caller } of this.#streams) counts.set(caller.ownerId, (counts.get(caller.ownerId) ?? 0) + 1)
    const [ownerId = '', count = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
    const newest = count >= own + 2 ? this.#streamsOf(ownerId).at(-1) : undefined
    if (!newest) return false
    this.#streams.delete(newest)
    newest.response.destroy()
    return true
  }

  #listenTo(kind: string): void {
    if (this.#kinds.has(kind)) return
    this.#kinds.add(kind)
    this.#services.db.events.on(kind, (id) => {
      for (const stream of this.#streams) {
        const { topic } = stream.feed
        if (topic.kind === kind && (id === topic.id || id === '*')) void this.#pump(stream)
      }
    })
  }

  /** One read at a time per stream, however often something is published meanwhile. */
  async #pump(stream: Stream): Promise<void> {
    stream.isDue = true
    if (stream.isPumping) return
    stream.isPumping = true
    try {
      while (stream.isDue && this.#streams.has(stream)) {
        stream.isDue = false
        if (!(await this.#isAllowed(stream, stream.caller.requireAccess))) return
        const events = await stream.feed.next()
        for (const event of events) this.#write(stream, eventText(event))
        if (!stream.feed.hasPortions || events.length === 0) continue
        stream.isDue = true
        await isDrained(stream.response)
      }
    } catch (error) {
      this.#end(stream, error)
    } finally {
      stream.isPumping = false
    }
  }

  async #checkBeat({ caller, feed }: Stream): Promise<StreamEvent | void> {
    await caller.requireAccess()
    return feed.beat?.()
  }

  async #isAllowed(stream: Stream, check: () => Promise<void>): Promise<boolean> {
    try {
      await check()
      return true
    } catch (error) {
      this.#end(stream, error)
      return false
    }
  }

  /** The client may reconnect, and gets the missed events then. */
  #end({ response }: Stream, error: unknown): void {
    if (error instanceof CallError) return void response.end()
    if (!databaseIsUnavailable(error)) this.#services.log.error({ err: error }, 'an event stream ended')
    response.destroy()
  }

  #write({ response }: Stream, text: string): void {
    if (response.writableEnded || response.destroyed) return
    if (response.writableLength + Buffer.byteLength(text) > maxUnreadBytes) response.destroy()
    else response.write(text)
  }
}

const eventText = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Resolves when the reader has taken most of what was written, or is gone. */
async function isDrained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return
  await new Promise<void>((resolve) => {
    for (const event of ['drain', 'close']) response.once(event, () => resolve())
  })
}

export const eventStreams = perServer((services) => new EventStreams(services))
