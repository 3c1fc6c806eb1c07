import { once } from 'node:events'
import { type Config, ConfigInvalid } from '../config/config.ts'
import { commonErrors } from '#contract/common-errors.ts'
import { newHttpServer } from './http-server.ts'

const retrySeconds = 2

export interface WaitingServer {
  /** Listens on the port and answers requests. Throws `ConfigInvalid` if that is not possible. */
  start(): Promise<void>
  /** Releases the port. */
  stop(): Promise<void>
}

/**
 * Answers during the start until the database is open, which may take long: the process is alive, and all other
 * requests get 503. It takes the port before anything is opened, migrated or printed.
 */
export function waitingServer(config: Config): WaitingServer {
  const { status, message } = commonErrors.DATABASE_UNAVAILABLE
  const server = newHttpServer(config, (request, response) => {
    const isAlive = request.url === '/healthz'
    const rejection = { success: false, message, code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: retrySeconds }
    const body = JSON.stringify(isAlive ? { status: 'ok' } : rejection)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    response.writeHead(isAlive ? 200 : status, {
      ...headers,
      connection: 'close',
      ...(isAlive ? {} : { 'retry-after': String(retrySeconds) }),
    })
    response.end(body)
  })
  return {
    async start() {
      server.listen(config.port, config.host)
      await once(server, 'listening').catch((error: unknown) => {
        throw explainListenError(config, error)
      })
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Why a server can't listen, in the operator's words; any other error as it is. */
export function explainListenError({ host, port }: Pick<Config, 'host' | 'port'>, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  const advice: Record<string, string> = {
    EADDRINUSE: `PORT ${port} of HOST ${host} is in use by another process: stop that one, or set another PORT`,
    EACCES: `PORT ${port} may not be used by this user: ports below 1024 need CAP_NET_BIND_SERVICE`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} is not an address of this machine`,
  }
  return advice[code] ? new ConfigInvalid(`${advice[code]} (${message})`, { cause: error }) : error
}
