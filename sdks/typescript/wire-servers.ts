/* oxlint-disable no-restricted-imports -- for the tests */
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net'
import type { Certificate } from '../conformance/server/certificates.ts'
import type { ScriptedServer } from './scripted-server.ts'

/** Servers on real sockets for the tests; all of them end with `closeAll`. */

const running = new Set<() => Promise<unknown>>()

export async function closeAll(): Promise<void> {
  for (const close of running) await close()
  running.clear()
}

async function listen(server: Server | TcpServer): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  running.add(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** A scripted server behind HTTP, or behind HTTPS with a certificate. */
export class WireServer {
  readonly #scripted: ScriptedServer
  readonly #isEncrypted: boolean
  readonly #server: Server
  #port = 0
  /** Connections, encrypted or not yet. */
  connections = 0
  /** First lines and headers of all requests. */
  readonly requests: { line: string; headers: IncomingMessage['headers'] }[] = []

  private constructor(scripted: ScriptedServer, certificate: Certificate | undefined) {
    this.#scripted = scripted
    this.#isEncrypted = certificate !== undefined
    const answer = (request: IncomingMessage, response: ServerResponse) => void this.#answer(request, response)
    this.#server = certificate
      ? createHttpsServer({ cert: certificate.cert, key: certificate.key }, answer)
      : createHttpServer(answer)
    this.#server.on('connection', () => this.connections++)
    this.#server.on('tlsClientError', () => undefined)
  }

  static async start(scripted: ScriptedServer, certificate?: Certificate): Promise<WireServer> {
    const server = new WireServer(scripted, certificate)
    server.#port = await listen(server.#server)
    return server
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `${this.#isEncrypted ? 'https' : 'http'}://127.0.0.1:${this.#port}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push({ line: `${request.method} ${request.url}`, headers: request.headers })
    const body = Buffer.concat(await request.toArray())
    const { pathname } = new URL(request.url ?? '', this.url)
    const headers = request.headers as Record<string, string>
    const reply = await this.#scripted.fetch(`${this.url}${pathname}`, { headers, body }).catch(() => undefined)
    if (!reply) return void request.socket.destroy()
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(Buffer.from(await reply.arrayBuffer()))
  }
}

/** What a proxy or a server does with the first bytes of each connection. */
export type RawScript = (socket: Socket, first: string) => void

/** A server that writes what a test tells it. Its first bytes of each connection are kept. */
export async function rawServer(script: RawScript): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = []
  const server = createTcpServer((socket) => {
    socket.once('data', (data) => {
      const first = data.toString('latin1')
      heard.push(first)
      script(socket, first)
    })
  })
  return { port: await listen(server), heard }
}

/** An honest proxy, or one that leads every tunnel to this port. */
export const tunnelTo =
  (port?: number): RawScript =>
  (socket, first) => {
    const [, host = '', asked = ''] = /^CONNECT ([^:]+):(\d+) /.exec(first) ?? []
    const far = connect(port ?? Number(asked), host === 'signet.test' ? '127.0.0.1' : host)
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => far.destroy())
    far.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\nVia: 1.1 test\r\n\r\n')
      socket.pipe(far).pipe(socket)
    })
  }
