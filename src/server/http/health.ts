import type { FastifyInstance } from 'fastify'
import { DatabaseUnavailable } from '#database/unavailable.ts'
import type { Gauge } from '../metrics/gauge.ts'
import { addMetrics, type FinishedCall } from '../metrics/metrics.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the metrics call it: `GET /website/licenses`. */
    call?: string
    /** It lasts as long as its receiver or sender takes. */
    isTransfer?: boolean
  }
}

const apiPrefix = '/api/1.0'

/** A call in the metrics, without what all of them share. */
export const metricName = (method: string, path: string): string =>
  `${method} ${path.startsWith(apiPrefix) ? path.slice(apiPrefix.length) : path}`

/** Liveness, readiness and figures. Gives what counts the replies of raw routes. */
export async function addHealthRoutes(
  server: FastifyInstance,
  services: Services,
  gauges: readonly Gauge[],
): Promise<(path: string, status: number, seconds: number) => void> {
  const { db, time, settings, metrics, clock } = services
  const config = { call: 'health' }
  server.get('/healthz', { config }, async () => ({ status: 'ok' }))
  server.get('/readyz', { config }, async (_request, reply) => {
    if (services.readiness.isDraining) return reply.code(503).send({ status: 'stopping' })
    try {
      if (server.server.listening) await db.ping()
      if (db.writes.problem) return reply.code(503).send({ status: db.writes.problem })
      const jumped = time.rejectedSeconds
      return {
        status: 'ready',
        ...(jumped !== undefined && { clock: `not believed: it has jumped by ${jumped} s` }),
        ...(services.readiness.integrityProblems > 0 && { integrity: 'damaged: the log says what' }),
      }
    } catch (error) {
      const status = error instanceof DatabaseUnavailable ? error.message : 'database unavailable'
      return reply.code(503).send({ status })
    }
  })
  const count = await addMetrics(server, services, gauges)
  const record = (finished: FinishedCall, isTransfer?: boolean) => {
    count(finished)
    // Who asks whether the server is well says nothing about how requests go, and maintenance is no failure.
    const isRejection = finished.status === 503 && settings.latest.platform.maintenanceMode
    if (finished.call !== 'health' && !isRejection) metrics.requests.record({ ...finished, isTransfer }, clock())
  }
  server.addHook('onResponse', async ({ routeOptions, raw }, reply) => {
    const { call = raw.url?.startsWith(apiPrefix) ? 'other' : 'page', isTransfer } = routeOptions.config
    record({ call, status: reply.statusCode, seconds: reply.elapsedTime / 1000 }, isTransfer)
  })
  return (path, status, seconds) => record({ call: metricName('POST', path), status, seconds })
}
