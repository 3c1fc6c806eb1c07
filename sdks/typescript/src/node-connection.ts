import type { once } from 'node:events'
import type * as NodeHttp from 'node:http'
import type * as NodeNet from 'node:net'
import type * as NodeTls from 'node:tls'
import { builtinModule } from './builtin-module.ts'
import { UnverifiedError } from './errors.ts'
import { bareHost, type Network, type Proxy } from './network-options.ts'

/** Bytes of an answer's headers, or of its trailers. */
export const maxHeaderSize = 64 * 1024

/** Opens connections on which the next bytes are a request: through the proxy, encrypted, and to the right server. */
export class Connector {
  readonly #network: Network
  readonly #events = builtinModule('node:events') as { once: typeof once }
  readonly #http = builtinModule('node:http') as typeof NodeHttp
  readonly #net = builtinModule('node:net') as typeof NodeNet
  readonly #tls = builtinModule('node:tls') as typeof NodeTls
  #context: NodeTls.SecureContext | undefined

  constructor(network: Network) {
    this.#network = network
  }

  /** @throws {UnverifiedError} `FINGERPRINT_MISMATCH`, or an error of Node */
  async connect(signal: AbortSignal): Promise<NodeNet.Socket> {
    const { server, proxy } = this.#network
    const isEncrypted = server.protocol === 'https:'
    const host = bareHost(server.hostname)
    const port = Number(server.port || (isEncrypted ? 443 : 80))
    const tcp = this.#net.connect({ host: proxy?.host ?? host, port: proxy?.port ?? port, noDelay: true })
    const abort = () => void tcp.destroy()
    signal.addEventListener('abort', abort)
    try {
      await this.#opened(tcp, 'connect', signal)
      if (!isEncrypted) return tcp
      if (proxy) await this.#openTunnel(tcp, proxy, `${server.hostname}:${port}`)
      return await this.#encrypted(tcp, host, signal)
    } catch (error) {
      tcp.destroy()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** The socket, once it can be used. */
  async #opened<T extends NodeNet.Socket>(socket: T, event: string, signal: AbortSignal): Promise<T> {
    // An error that comes while nobody listens would end the program.
    socket.on('error', () => undefined)
    await this.#events.once(socket, event, { signal })
    if (socket.destroyed) throw new Error('the connection was closed')
    return socket
  }

  #openTunnel(tcp: NodeNet.Socket, { authorization }: Proxy, target: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = this.#http.request({
        method: 'CONNECT',
        path: target,
        headers: {
          host: target,
          connection: 'keep-alive',
          ...(authorization !== undefined && { 'proxy-authorization': authorization }),
        },
        createConnection: () => tcp,
        maxHeaderSize,
        insecureHTTPParser: false,
      })
      request.on('error', reject)
      request.once('connect', ({ statusCode }, _socket, behind) => {
        if (statusCode !== 200) reject(new Error(`the proxy answers ${statusCode}`))
        // A server says nothing before it is asked.
        else if (behind.length > 0) reject(new Error('the proxy sends bytes of its own'))
        else resolve()
      })
      request.end()
    })
  }

  async #encrypted(tcp: NodeNet.Socket, host: string, signal: AbortSignal): Promise<NodeNet.Socket> {
    const { ca, fingerprints } = this.#network
    this.#context ??= this.#tls.createSecureContext({ minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) })
    const socket = this.#tls.connect({
      socket: tcp,
      host,
      servername: this.#net.isIP(host) ? '' : host,
      secureContext: this.#context,
      ALPNProtocols: ['http/1.1'],
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
    })
    try {
      await this.#opened(socket, 'secureConnect', signal)
      const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase()
      if (fingerprints.size === 0 || fingerprints.has(shown ?? '')) return socket
      throw new UnverifiedError('FINGERPRINT_MISMATCH', 'The server shows another certificate than sslFingerprint.')
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
}
