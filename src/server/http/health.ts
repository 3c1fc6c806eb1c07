import type { FastifyInstance } from 'fastify'
import { DatabaseUnavailable } from '#database/unavailable.ts'
import type { Gauge } from '../status/gauge.ts'
import { findProblems, integrityCheck } from '../status/platform-checks.ts'
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

/** Found by any process, before or after a restart. */
const hasDamage = async ({ db, readiness }: Services): Promise<boolean> =>
  readiness.unstoredProblems > 0 || (await findProblems(db.read, integrityCheck)) > 0

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
      const isDamaged = server.server.listening && (await hasDamage(services))
      return {
        status: 'ready',
        ...(jumped !== undefined && { clock: `not believed: it has jumped by ${jumped} s` }),
        ...(isDamaged && { integrity: 'damaged: the log says what' }),
      }
    } catch (error) {
      const status = error instanceof DatabaseUnavailable ? error.message : 'database unavailable'
      return reply.code(503).send({ status })
    }
  })
  const count = await addMetrics(server, services, gauges)
  const record = (finished: Omit<FinishedCall, 'isMaintenance'>) => {
    const isHealth = finished.call === 'health'
    const isMaintenance = !isHealth && finished.status === 503 && settings.latest.platform.maintenanceMode
    count({ ...finished, isMaintenance })
    // Health checks are not counted as requests, and maintenance is not a failure.
    if (!isHealth && !isMaintenance) metrics.requests.record(finished, clock())
  }
  server.addHook('onResponse', async ({ routeOptions, raw }, reply) => {
    const { call = raw.url?.startsWith(apiPrefix) ? 'other' : 'page', isTransfer } = routeOptions.config
    record({ call, status: reply.statusCode, seconds: reply.elapsedTime / 1000, isTransfer })
  })
  return (path, status, seconds) => record({ call: metricName('POST', path), status, seconds })
}
