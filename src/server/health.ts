import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { DatabaseUnavailable } from '#database/unavailable.ts'
import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'
import type { Services } from './services.ts'

const bearer = 'Bearer '

/** Liveness, readiness and Prometheus figures; the latter only with the configured token. Gives what counts raw replies. */
export async function addHealthRoutes(
  server: FastifyInstance,
  { db, config, time }: Services,
): Promise<(route: string, status: number, seconds: number) => void> {
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    try {
      if (server.server.listening) await db.ping()
      const jumped = time.refusedSeconds
      return { status: 'ready', ...(jumped !== undefined && { clock: `not believed: it has jumped by ${jumped} s` }) }
    } catch (error) {
      const status = error instanceof DatabaseUnavailable ? error.message : 'database unavailable'
      return reply.code(503).send({ status })
    }
  })
  if (!config.metricsToken) return () => {}
  const expected = Buffer.from(bearer + config.metricsToken)
  // Loaded only where somebody reads the figures.
  const { collectDefaultMetrics, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'signet_request_seconds',
    help: 'Time from request to reply',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'other'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  server.get('/metrics', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      refuse(commonRefusals, 'NOT_FOUND')
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return (route, status, seconds) => durations.observe({ method: 'POST', route, status }, seconds)
}
