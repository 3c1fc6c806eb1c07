import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Gauge as PrometheusGauge, Registry as PrometheusRegistry } from 'prom-client'
import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import type { Counts } from '../metrics/counts.ts'
import { platformGauges } from './platform-gauges.ts'
import type { Services } from '../services.ts'
import type { Gauge, GaugeValue } from './gauge.ts'
import { withinTime } from '../process/within-time.ts'

export interface FinishedCall {
  /** `GET /website/licenses`; `page`, `file`, `health` and `other` for requests that are not calls. */
  call: string
  status: number
  seconds: number
  /** Its duration depends on its receiver or sender. */
  isTransfer?: boolean | undefined
  /** Rejected because of maintenance, which is not a failure. */
  isMaintenance: boolean
}

const bearer = 'Bearer '
const maxReadMs = 5000

/** Prometheus metrics for clients with the configured token; returns the function that counts finished calls. */
export async function addMetrics(
  server: FastifyInstance,
  services: Services,
  gauges: readonly Gauge[],
): Promise<(finished: FinishedCall) => void> {
  const { metricsToken } = services.config
  if (!metricsToken) return () => {}
  const expected = Buffer.from(bearer + metricsToken)
  // Loaded only if metrics are enabled.
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'signet_requests_total',
    help: 'Answered requests by call and status class',
    labelNames: ['call', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'signet_request_seconds',
    help: 'Time from request to reply, in seconds',
    labelNames: ['call'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const addCounts = <L extends string>(name: string, help: string, labelNames: L[], counts: Counts<L>) =>
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset()
        for (const { labels, value } of counts.values) this.inc(labels, value)
      },
    })
  const { rateLimits, metrics } = services
  addCounts('signet_rate_limited_total', 'Calls rejected by a rate limit', ['limit'], rateLimits.rejected)
  addCounts('signet_job_runs_total', 'Job runs by kind and outcome', ['kind', 'outcome'], metrics.jobRuns)
  const read = [...platformGauges, ...gauges].map(({ name, help, labelNames = [], read }) => {
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })
    return { gauge, labelNames, read }
  })
  server.get('/metrics', { config: { call: 'health' } }, async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) reject(commonErrors, 'NOT_FOUND')
    await Promise.all(read.map((each) => readGauge(services, each)))
    return reply.type(registry.contentType).send(await (registry as PrometheusRegistry).metrics())
  })
  return ({ call, status, seconds, isTransfer, isMaintenance }) => {
    requests.inc({ call, status: isMaintenance ? 'maintenance' : `${Math.floor(status / 100)}xx` })
    if (!isTransfer) durations.observe({ call }, seconds)
  }
}

/** A gauge that cannot be read is left out: an old value would be mistaken for a current one. */
async function readGauge(
  services: Services,
  { gauge, labelNames, read }: Required<Pick<Gauge, 'labelNames' | 'read'>> & { gauge: PrometheusGauge },
): Promise<void> {
  const values = await withinTime(Promise.resolve(services).then(read), maxReadMs).catch((): GaugeValue[] => [])
  gauge.reset()
  // Without labels, a reset leaves a 0.
  if (labelNames.length === 0) gauge.remove()
  for (const { labels = {}, value } of values) gauge.set(labels, value)
}
