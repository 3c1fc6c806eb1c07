import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { deleteInBatches } from '#database/delete-rows.ts'
import { buildServer } from './http/build-server.ts'
import { Counts } from './metrics/counts.ts'
import type { Feature } from './http/endpoint.ts'
import { eventStreams } from './http/event-stream.ts'
import { closeAllConnections, closeUnusedConnections } from './http/http-server.ts'
import { IpData } from './network/ip-data.ts'
import { JobRunner } from './jobs/job-runner.ts'
import type { JobHandler } from './jobs/jobs.ts'
import { mailJobs } from './mail/mail.ts'
import { hostResolver, type ResolveHost, txtResolver } from './network/name-servers.ts'
import { OutgoingRequests } from './network/outgoing.ts'
import { Passwords } from './passwords/passwords.ts'
import { InstanceMessages } from './process/instance-messages.ts'
import { SettingsCache } from './settings/platform-settings.ts'
import { RateLimits } from './rate-limits.ts'
import { Readiness } from './process/readiness.ts'
import { RequestMetrics } from './metrics/request-metrics.ts'
import { type ClockChange, machineTime, ServerClock, type TimeSource } from './clock/server-clock.ts'
import type { Services } from './services.ts'
import { retentionSeconds } from './http/idempotency.ts'
import { forgetOldUndo } from './bulk/undo-log.ts'
import { persistTime } from './clock/stored-time.ts'

const cleanupMs = 600_000

export type GivenServices = Pick<Services, 'config' | 'db' | 'masterKey' | 'log'> &
  Partial<Pick<Services, 'passwords'>> & {
    /** A parameter so that tests can move the time. */
    timeSource?: TimeSource
    stalledTransferMs?: number
    /** The name servers of outgoing requests; a parameter so that tests can provide false answers. */
    resolveHost?: ResolveHost
  }

export interface RunningServer {
  server: FastifyInstance
  services: Services
  jobs: JobRunner
  /** Finishes running work, then closes everything but the database. */
  stop(): Promise<void>
}

const pepperOf = ({ config, masterKey }: GivenServices): Buffer | undefined =>
  config.passwordPepper ? masterKey.derive('password-pepper') : undefined

/** Builds the server and starts the features; the caller makes it listen. */
export async function startServer(
  given: GivenServices,
  features: readonly Feature[],
  dashboardDir?: string,
): Promise<RunningServer> {
  const { config, db, masterKey, log } = given
  const time = new ServerClock(given.timeSource ?? machineTime, (change) => reportClock(log, change))
  const instances = new InstanceMessages(db, (error) =>
    log.error({ err: error }, 'could not publish counts to other processes'),
  )
  const stopping = new AbortController()
  const jobHandlers: Record<string, JobHandler> = Object.assign({}, mailJobs, ...features.map(({ jobs }) => jobs))
  const services: Services = {
    config,
    db,
    masterKey,
    log,
    time,
    clock: () => time.now(),
    stalledTransferMs: given.stalledTransferMs ?? 60_000,
    mailTimeoutMs: 15_000,
    stopGraceMs: 5000,
    stopSignal: stopping.signal,
    stopRequestsMs: 15_000,
    readiness: new Readiness(),
    passwords: given.passwords ?? new Passwords(undefined, pepperOf(given)),
    rateLimits: new RateLimits(instances),
    instances,
    slowSenders: new WeakSet(),
    metrics: { requests: new RequestMetrics(instances), jobRuns: new Counts() },
    jobKinds: Object.keys(jobHandlers),
    ipData: new IpData(config.ipData, { clock: () => time.now(), onError: (error) => reportIpData(log, error) }),
    settings: new SettingsCache(db, { defaultPlan: config.defaultPlan }),
    outgoing: new OutgoingRequests(config.outgoing, given.resolveHost ?? hostResolver(config.nameServers), () =>
      time.now(),
    ),
    resolveTxt: txtResolver(config.nameServers),
  }
  await services.settings.current()
  const stopPersistingTime = await persistTime(services)
  const server = await buildServer({ services, features, dashboardDir })
  const endings: (() => Promise<void>)[] = []
  for (const feature of features) {
    const end = await feature.start?.(services, features)
    if (end) endings.push(end)
  }
  const jobs = new JobRunner(services, jobHandlers)
  await jobs.start()
  const cleanup = setInterval(() => void forgetOldReplies(services), cleanupMs).unref()
  return {
    server,
    services,
    jobs,
    async stop() {
      services.readiness.drain()
      const grace = setTimeout(() => stopping.abort(), services.stopGraceMs)
      clearInterval(cleanup)
      eventStreams(services).close()
      const cut = setTimeout(() => closeAllConnections(server.server), services.stopRequestsMs)
      const closed = server.close()
      closeUnusedConnections(server.server)
      // Together: a slow download keeps no job from another process.
      await Promise.all([closed, jobs.stop()])
      clearTimeout(cut)
      for (const end of endings.toReversed()) {
        await end().catch((error: unknown) => log.error({ err: error }, 'could not store what was in memory'))
      }
      await stopPersistingTime()
      clearTimeout(grace)
    },
  }
}

const clockTexts: Record<ClockChange['kind'], string> = {
  rejected: "the machine's clock has jumped and is not believed; time goes on from before",
  accepted: "the machine's clock has jumped and goes on steadily: it is believed now",
  'right again': "the machine's clock agrees again",
}

function reportClock(log: Services['log'], { kind, ...change }: ClockChange): void {
  log[kind === 'right again' ? 'info' : 'error'](change, clockTexts[kind])
}

const reportIpData = (log: Services['log'], error: unknown): void =>
  log.error({ err: error }, 'cannot read an IP data file; the previous one stays in use')

async function forgetOldReplies({ db, clock, log }: Services): Promise<void> {
  const now = Math.floor(clock() / 1000)
  try {
    await deleteInBatches(db, 'idempotent_replies', sql`created_at < ${now - retentionSeconds} order by created_at`)
    await forgetOldUndo(db, now)
  } catch (error) {
    log.error({ err: error }, 'could not delete expired idempotent replies and undo records')
  }
}
