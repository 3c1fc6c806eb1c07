import type { FastifyInstance } from 'fastify'
import { DatabaseUnavailable } from '#database/unavailable.ts'
import type { Gauge } from '../status/gauge.ts'
import { addMetrics, type FinishedCall } from '../status/prometheus.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name in the metrics: `GET /website/licenses`. */
    call?: string
    /** Its duration depends on its receiver or sender. */
    isTransfer?: boolean
    maxBodyFields?: number | undefined
  }
}

const apiPrefix = '/api/1.0'

/** Name of a call in the metrics, without the prefix common to all calls. */
export const metricName = (method: string, path: string): string =>
  `${method} ${path.startsWith(apiPrefix) ? path.slice(apiPrefix.length) : path}`

/** Liveness, readiness and metrics. Returns the function that counts the replies of raw routes. */
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
    // Health checks are not counted as requests, and maintenance is not a failure.
    const isRejection = finished.status === 503 && settings.latest.platform.maintenanceMode
    if (finished.call !== 'health' && !isRejection) metrics.requests.record({ ...finished, isTransfer }, clock())
  }
  server.addHook('onResponse', async ({ routeOptions, raw }, reply) => {
    const { call = raw.url?.startsWith(apiPrefix) ? 'other' : 'page', isTransfer } = routeOptions.config
    record({ call, status: reply.statusCode, seconds: reply.elapsedTime / 1000 }, isTransfer)
  })
  return (path, status, seconds) => record({ call: metricName('POST', path), status, seconds })
}
