import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { type Config, ConfigInvalid } from '../config.ts'

/** Cuts off slow senders and dead peers sooner than Node's defaults. */
export function newHttpServer({ tls }: Pick<Config, 'tls'>, listener: RequestListener): HttpServer {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 15_000,
    connectionsCheckingInterval: 2000,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Rejected here, so that the reply has the headers of all replies.
    requireHostHeader: false,
  }
  if (!tls) return withTrackedConnections(createHttpServer(options, listener), 'connection')
  const server = createTlsServer(tls, { ...options, minVersion: 'TLSv1.2' }, listener)
  return withTrackedConnections(server, 'secureConnection')
}

/** A certificate problem is for the operator to fix: one line, no stack. */
function createTlsServer(
  tls: NonNullable<Config['tls']>,
  options: ServerOptions,
  listener: RequestListener,
): HttpServer {
  const cert = readTlsFile('TLS_CERT_FILE', tls.certFile)
  const key = readTlsFile('TLS_KEY_FILE', tls.keyFile)
  try {
    return createHttpsServer({ ...options, cert, key }, listener)
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

const quietClosers = new WeakMap<object, () => void>()

/**
 * Closes idle connections, also those without any request: browsers open some in advance, and Node would wait for them.
 * Other connections close after their reply.
 */
export function closeQuietConnections(server: object): void {
  quietClosers.get(server)?.()
}

function withTrackedConnections(server: HttpServer, event: 'connection' | 'secureConnection'): HttpServer {
  const open = new Set<Socket>()
  const busy = new Map<Socket, number>()
  let isClosing = false
  server.on(event, (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (busy.get(socket) ?? 1) - 1
      if (left > 0) return void busy.set(socket, left)
      busy.delete(socket)
      if (isClosing) socket.destroySoon()
    })
  })
  quietClosers.set(server, () => {
    isClosing = true
    for (const socket of open) if (!busy.has(socket)) socket.destroy()
  })
  return server
}
