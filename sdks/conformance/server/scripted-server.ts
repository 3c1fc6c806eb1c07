import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { generation, type Identity } from './identity.ts'
import { failureOf, Model, type PlainReply } from './model.ts'
import { nextPort, portTries } from './own-ports.ts'
import { callOf, type ReceivedRequest, receivedRequest, violationsOf } from './received-request.ts'
import { signedReply, type SigningChanges, type WireReply } from './signed-reply.ts'

/** One request in the hands of a script. */
export interface Exchange {
  request: ReceivedRequest
  server: ScriptedServer
  response: ServerResponse
  socket: Socket
  /** Has the model do the call and signs its answer, with these changes. */
  honest: (changes?: SigningChanges) => WireReply
  /** Signs another answer, without doing the call. */
  sign: (reply: PlainReply, changes?: SigningChanges) => WireReply
  /** Signs these bytes. */
  signBytes: (status: number, body: Buffer | string, changes?: SigningChanges) => WireReply
}

/** Gives the reply to send; undefined if the script writes to the socket itself. */
export type Script = (exchange: Exchange) => WireReply | undefined | Promise<WireReply | undefined>

interface Planned {
  call: string
  script: Script
  left: number
}

const windowMs = 120_000

/** A server on a real socket: honest, except for what a scenario scripts. */
export class ScriptedServer {
  readonly model = new Model()
  identity: Identity = generation(0)
  /** The server's clock relative to that of the machine. */
  clockOffsetMs = 0
  /** The app that requests must name. */
  app = 'Ab3dE6gH1j/My%20App'
  readonly requests: ReceivedRequest[] = []
  /** What the client did against the protocol. */
  readonly violations: string[] = []
  readonly #nonces = new Map<string, string>()
  #plans: Planned[] = []
  #server: Server | undefined
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get port(): number {
    return this.#port
  }

  now(): number {
    return Date.now() + this.clockOffsetMs
  }

  async start(): Promise<this> {
    const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (message, response) => {
      // Broken sockets are what the scenarios are about.
      this.#answer(message, response).catch(() => response.destroy())
    })
    server.on('clientError', (_error, socket) => socket.destroy())
    this.#server = server
    await this.#listen(server)
    return this
  }

  /** On a port that nobody uses; after a stop, on the same one. */
  async #listen(server: Server): Promise<void> {
    for (let left = portTries; ; left--) {
      const port = this.#port || nextPort()
      try {
        await once(server.listen(port, '127.0.0.1'), 'listening')
        this.#port = port
        return
      } catch (error) {
        if (this.#port !== 0 || left === 1) throw error
      }
    }
  }

  /** Nobody listens any more, and all connections are gone. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  /** Drops all connections, as a restart does. */
  dropConnections(): void {
    this.#server?.closeAllConnections()
  }

  /** Scripts the next requests of a call. */
  next(call: string, script: Script, times = 1): void {
    this.#plans.push({ call, script, left: times })
  }

  /** Scripts all further requests of a call. */
  always(call: string, script: Script): void {
    this.#plans.push({ call, script, left: Infinity })
  }

  /** Forgets all scripts: from now on the server is honest. */
  beHonest(): void {
    this.#plans = []
  }

  /** Number of requests of a call. */
  count(call: string): number {
    return this.requests.filter((request) => request.call === call).length
  }

  last(call: string): ReceivedRequest | undefined {
    return this.requests.findLast((request) => request.call === call)
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const call = callOf(message.method ?? '', message.url ?? '')
    const request = receivedRequest(message, Buffer.concat(chunks), this.count(call) + 1)
    this.requests.push(request)
    this.violations.push(...violationsOf(request, this.app))
    const exchange = this.#exchangeOf(request, response)
    const plan = this.#plans.find((each) => each.call === request.call && each.left > 0)
    if (plan) plan.left -= 1
    const reply = await (plan?.script ?? honest)(exchange)
    if (reply) send(response, reply)
  }

  #exchangeOf(request: ReceivedRequest, response: ServerResponse): Exchange {
    const signBytes = (status: number, body: Buffer | string, changes?: SigningChanges) =>
      signedReply({ request, status, body: Buffer.from(body), identity: this.identity, now: this.now() }, changes)
    const sign = ({ status, fields }: PlainReply, changes?: SigningChanges) =>
      signBytes(status, JSON.stringify(fields), changes)
    return {
      request,
      server: this,
      response,
      socket: response.socket as Socket,
      sign,
      signBytes,
      honest: (changes) =>
        request.method === 'GET' ? this.fileReply(request) : sign(this.#plainReply(request), changes),
    }
  }

  #plainReply(request: ReceivedRequest): PlainReply {
    const { nonce, time } = request
    if (Math.abs(Number(time) - this.now()) > windowMs) return failureOf('CLOCK_SKEW')
    const sent = `${request.path} ${time} ${request.session} ${request.body.toString('base64')}`
    const before = this.#nonces.get(nonce)
    if (before !== undefined && before !== sent) this.violations.push('a nonce was used for two requests')
    this.#nonces.set(nonce, sent)
    if (before !== undefined) return failureOf('NONCE_REUSED')
    return this.model.answer(request, Math.floor(this.now() / 1000))
  }

  /** The bytes of a file, in part if a part of the same file is asked for. */
  fileReply({ path, headers }: ReceivedRequest): WireReply {
    const id = /^\/api\/1\.0\/download\/([^?]+)/.exec(path)?.[1] ?? ''
    const file = this.model.files.get(id)
    if (!file) return { status: 404, headers: [], body: Buffer.from('{"success":false}') }
    const { bytes } = file
    const { sha256 } = this.model.offerOf(id, file)
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    const type: [string, string] = ['content-type', 'application/octet-stream']
    const isSame = headers['if-range'] === undefined || headers['if-range'] === `"${String(sha256)}"`
    if (start === 0 || !isSame) return { status: 200, headers: [type, ['etag', `"${String(sha256)}"`]], body: bytes }
    const range = `bytes ${start}-${bytes.length - 1}/${bytes.length}`
    return { status: 206, headers: [type, ['content-range', range]], body: bytes.subarray(start) }
  }
}

const honest: Script = (exchange) => exchange.honest()

/** Repeated headers stay separate lines. */
function send(response: ServerResponse, { status, headers, body }: WireReply): void {
  if (response.destroyed) return
  const hasLength = headers.some(([name]) => name === 'content-length' || name === 'transfer-encoding')
  const all = hasLength ? headers : [...headers, ['content-length', String(body.length)] as [string, string]]
  response.writeHead(status, all.flat())
  response.end(body)
}
