import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { type Config, ConfigInvalid } from '../config/config.ts'
import { FastConnection, type FastPath } from './fast-path.ts'

const keepAliveMs = 15_000

/** Browsers and libraries wait for a reply before they send the next request. */
const maxUnanswered = 32

/** Cuts off slow senders and dead peers sooner than Node's defaults. Without a fast path, Node serves every request. */
export function newHttpServer(
  { tls }: Pick<Config, 'tls'>,
  listener: RequestListener,
  fastPath?: FastPath | undefined,
): HttpServer {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 2000,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Rejected here, so that the reply has the headers of all replies.
    requireHostHeader: false,
  }
  if (!tls) return withConnections(createHttpServer(options), { event: 'connection', listener, fastPath })
  const server = createTlsServer(tls, { ...options, minVersion: 'TLSv1.2' })
  return withConnections(server, { event: 'secureConnection', listener, fastPath })
}

/** A certificate problem is for the operator to fix: one line, no stack. */
function createTlsServer(tls: NonNullable<Config['tls']>, options: ServerOptions): HttpServer {
  const cert = readTlsFile('TLS_CERT_FILE', tls.certFile)
  const key = readTlsFile('TLS_KEY_FILE', tls.keyFile)
  try {
    return createHttpsServer({ ...options, cert, key })
  } catch (error) {
    const files = `TLS_CERT_FILE ${tls.certFile} and TLS_KEY_FILE ${tls.keyFile}`
    throw new ConfigInvalid(`${files} are no certificate in PEM with its key (${(error as Error).message})`)
  }
}

function readTlsFile(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigInvalid(`${setting} must be a file that can be read (${(error as Error).message})`)
  }
}

const connectionsOf = new WeakMap<object, Connections>()

/**
 * Closes idle connections, also those without any request: browsers open some in advance, and Node would wait for them.
 * Other connections close after their reply.
 */
export function closeUnusedConnections(server: object): void {
  connectionsOf.get(server)?.closeQuiet()
}

/** Closes the connections whose requests are still being answered, too. */
export function closeAllConnections(server: object): void {
  connectionsOf.get(server)?.closeAll()
}

/** Counts the requests that are being answered on each connection. */
class Connections {
  readonly #open = new Set<Socket>()
  readonly #busy = new Map<Socket, number>()
  #isClosing = false

  add(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
  }

  unanswered(socket: Socket): number {
    return this.#busy.get(socket) ?? 0
  }

  begin(socket: Socket): void {
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1)
  }

  end(socket: Socket): void {
    const others = (this.#busy.get(socket) ?? 1) - 1
    if (others > 0) return void this.#busy.set(socket, others)
    this.#busy.delete(socket)
    if (this.#isClosing) socket.destroySoon()
  }

  closeQuiet(): void {
    this.#isClosing = true
    for (const socket of this.#open) if (!this.#busy.has(socket)) socket.destroy()
  }

  closeAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}

interface Serving {
  event: 'connection' | 'secureConnection'
  listener: RequestListener
  fastPath: FastPath | undefined
}

function withConnections(server: HttpServer, { event, listener, fastPath }: Serving): HttpServer {
  const connections = new Connections()
  connectionsOf.set(server, connections)
  server.on('request', (request, response) => {
    const { socket } = request
    // Node reads all requests of a batch, even when their connection is closed or the client reads no replies.
    if (socket.destroyed) return
    if (connections.unanswered(socket) >= maxUnanswered) return void socket.destroy()
    connections.begin(socket)
    response.once('close', () => connections.end(socket))
    listener(request, response)
  })
  if (fastPath) serveFastPath(server, event, { fastPath, connections })
  server.on(event, (socket: Socket) => connections.add(socket))
  return server
}

/** New connections begin on the fast path; Node's own listener gets those that leave it. */
function serveFastPath(
  server: HttpServer,
  event: 'connection' | 'secureConnection',
  { fastPath, connections }: { fastPath: FastPath; connections: Connections },
): void {
  const ofNode = server.listeners(event) as ((socket: Socket) => void)[]
  server.removeAllListeners(event)
  const owner = {
    keepAliveMs,
    handOver: (socket: Socket) => ofNode.forEach((listener) => listener.call(server, socket)),
    begin: (socket: Socket) => connections.begin(socket),
    end: (socket: Socket) => connections.end(socket),
  }
  server.on(event, (socket: Socket) => void new FastConnection(socket, fastPath, owner))
}
