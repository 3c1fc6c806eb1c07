import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { type Config, ConfigInvalid } from '../config.ts'

/** Slow senders are cut off, dead peers found; Node's own limits are too generous. */
export function newHttpServer({ tls }: Pick<Config, 'tls'>, listener: RequestListener): HttpServer {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 15_000,
    connectionsCheckingInterval: 2000,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Refused by us, with the headers of every answer.
    requireHostHeader: false,
  }
  if (!tls) return withTrackedConnections(createHttpServer(options, listener), 'connection')
  const server = createTlsServer(tls, { ...options, minVersion: 'TLSv1.2' }, listener)
  return withTrackedConnections(server, 'secureConnection')
}

/** What is wrong with a certificate is for the operator to mend: one line. */
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
 * Ends the connections on which nothing is answered, also those that never sent anything: browsers open some in
 * advance, and Node waits for them. The others end with their answer.
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
