import { once } from 'node:events'
import type { Config } from './config.ts'
import { commonRefusals } from '#contract/common-refusals.ts'
import { newHttpServer } from './http-server.ts'

const retrySeconds = 2

export interface WaitingServer {
  /** Answers from here on; calling it again changes nothing. */
  start(): Promise<void>
  /** Gives the port back. */
  stop(): Promise<void>
}

/** Stands in while the database can't be reached at a start (F7): the process is alive, and everything else is 503. */
export function waitingServer(config: Config): WaitingServer {
  const { status, message } = commonRefusals.DATABASE_UNAVAILABLE
  const server = newHttpServer(config, (request, response) => {
    const isAlive = request.url === '/healthz'
    const refusal = { success: false, message, code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: retrySeconds }
    const body = JSON.stringify(isAlive ? { status: 'ok' } : refusal)
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
      if (server.listening) return
      server.listen(config.port, config.host)
      await once(server, 'listening')
    },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
