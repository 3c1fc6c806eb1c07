import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type PlainRequest, readPlainRequest } from './plain-request.ts'

/** Answers plain requests to a few paths (docs/decisions/036). */
export interface FastPath {
  /** Largest body of a path in bytes; undefined if it isn't answered here. */
  maxBodyBytes: (path: string) => number | undefined
  /** False for a request that needs Node's request object. */
  accepts: (request: PlainRequest, socket: Socket) => boolean
  /** Undefined closes the connection without a reply. */
  answer: (request: PlainRequest, socket: Socket) => Promise<FastReply | undefined>
}

export interface FastReply {
  status: number
  /** Lines of headers, each with its line break. */
  head: string
  body: string
  isLast: boolean
}

/** What the fast path needs of the server that owns the connections. */
export interface ConnectionOwner {
  keepAliveMs: number
  /** Lets Node's parser serve the connection from here on. */
  handOver: (socket: Socket) => void
  /** A request has begun on a quiet connection. */
  begin: (socket: Socket) => void
  /** Its reply is written. */
  end: (socket: Socket) => void
}

/** A head and a body often arrive apart; more pieces than this are read by Node, with its limits on slow senders. */
const maxPieces = 4

/**
 * A connection whose requests are answered one after the other without Node's request and response objects. At the first
 * request that isn't plain, or isn't for the fast path, the whole connection is handed over with all unanswered bytes,
 * so both parsers never read the same request.
 */
export class FastConnection {
  readonly #socket: Socket
  readonly #fastPath: FastPath
  readonly #owner: ConnectionOwner
  #bytes: Buffer | undefined
  #pieces = 0
  #isBusy = false
  #hasEnded = false

  constructor(socket: Socket, fastPath: FastPath, owner: ConnectionOwner) {
    this.#socket = socket
    this.#fastPath = fastPath
    this.#owner = owner
    socket.setTimeout(owner.keepAliveMs)
    socket.on('timeout', this.#onTimeout).on('error', this.#onError)
    socket.on('data', this.#onData).on('end', this.#onEnd).on('drain', this.#onDrain)
  }

  readonly #onData = (piece: Buffer): void => {
    this.#bytes = this.#bytes ? Buffer.concat([this.#bytes, piece]) : piece
    this.#pieces += 1
    if (this.#isBusy) this.#socket.pause()
    else this.#next()
  }

  readonly #onTimeout = (): void => {
    if (this.#isBusy) return
    if (this.#bytes && !this.#hasEnded) this.#handOver()
    else this.#socket.destroy()
  }

  /** The socket is destroyed by itself. */
  readonly #onError = (): void => {}

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (!this.#isBusy) this.#next()
  }

  readonly #onDrain = (): void => {
    if (!this.#isBusy) this.#next()
  }

  /** Answers the next request, if it has arrived and the client has read the replies before it. */
  #next(): void {
    if (this.#socket.writableNeedDrain) {
      this.#socket.pause()
      return
    }
    if (!this.#bytes) return this.#hasEnded ? this.#close() : this.#resume()
    const request = readPlainRequest(this.#bytes, this.#fastPath.maxBodyBytes)
    if (!request || request === 'incomplete' || !this.#fastPath.accepts(request, this.#socket)) {
      // Like Node, which answers nothing more once the client has closed its side.
      if (this.#hasEnded) return this.#close()
      return request === 'incomplete' && this.#pieces < maxPieces ? this.#resume() : this.#handOver()
    }
    this.#keepAfter(request.length)
    this.#isBusy = true
    this.#owner.begin(this.#socket)
    void this.#answer(request)
  }

  #keepAfter(length: number): void {
    const bytes = this.#bytes as Buffer
    this.#bytes = length < bytes.length ? bytes.subarray(length) : undefined
    this.#pieces = this.#bytes ? 1 : 0
  }

  #resume(): void {
    if (this.#socket.isPaused()) this.#socket.resume()
  }

  async #answer(request: PlainRequest): Promise<void> {
    const reply = await this.#fastPath.answer(request, this.#socket).catch(() => undefined)
    this.#isBusy = false
    if (this.#socket.destroyed) return this.#owner.end(this.#socket)
    if (!reply) {
      this.#socket.destroy()
      return this.#owner.end(this.#socket)
    }
    const isLast = reply.isLast || request.isLast
    this.#socket.write(this.#textOf(reply, isLast))
    if (isLast) this.#close()
    this.#owner.end(this.#socket)
    if (!isLast && !this.#socket.destroyed) this.#next()
  }

  /** After the replies that are written; what still arrives is dropped. */
  #close(): void {
    this.#bytes = undefined
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain)
    this.#socket.destroySoon()
  }

  #textOf({ status, head, body }: FastReply, isLast: boolean): string {
    const connection = isLast
      ? 'connection: close'
      : `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(this.#owner.keepAliveMs / 1000)}`
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}date: ${httpDate()}\r\n${connection}\r\n\r\n${body}`
  }

  #handOver(): void {
    const socket = this.#socket
    socket.setTimeout(0)
    socket.off('timeout', this.#onTimeout).off('error', this.#onError)
    socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain)
    if (socket.destroyed) return
    socket.pause()
    if (this.#bytes) socket.unshift(this.#bytes)
    this.#owner.handOver(socket)
    socket.resume()
  }
}

let dateSecond = 0
let dateText = ''

/** The time of the machine, as Node writes it in its replies. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(second * 1000).toUTCString()
  }
  return dateText
}
