import { openPostgres, type PostgresOptions } from '#database/postgres/open-postgres.ts'
import { removeErasedAccounts } from '#features/profile/profile.actions.ts'
import { liveSessions } from '#features/client-api/client-api.feature.ts'
import { downloadCounts } from '#features/downloads/download-counts.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { webhookEvents } from '#features/webhooks/webhook-events.ts'
import type { Services } from '#server/services.ts'
import { type GivenServices, startServer } from '#server/start-server.ts'
import { features } from '#features.ts'
import { settleWith } from '../database-digest.ts'
import { Hearing, RoundRobinProxy } from './round-robin.ts'
import type { TestApp } from '../start-test-app.ts'
import { Visitor } from '../people/visitor.ts'

/** Maximum length of a chain of jobs in tests. */
const jobRounds = 3

/** Stores and publishes what a process writes some time after its reply. */
async function storeLate(services: Services): Promise<void> {
  services.metrics.requests.share()
  await webhookEvents(services).settled()
  await Promise.all([activityLog(services).flush(), downloadCounts(services).flush()])
}

/**
 * A second server on the database of `app`, with its own handle, and a proxy that forwards each request to the next of
 * the two. Before each request, it waits until both have received everything published, so that no test depends on how
 * long that takes.
 */
export async function behindRoundRobin(
  app: TestApp,
  {
    given,
    postgres,
    dashboardDir,
  }: { given: GivenServices; postgres: PostgresOptions; dashboardDir: string | undefined },
): Promise<TestApp> {
  const db = await openPostgres(postgres)
  const hearing = await Hearing.of(postgres.url, [app.db, db])
  const newSecond = async (servedDir = dashboardDir) => {
    const started = await startServer({ ...given, db }, features, servedDir)
    await started.server.listen({ port: 0, host: '127.0.0.1' })
    return started
  }
  let second = await newSecond()
  const proxy = await RoundRobinProxy.start(async () => {
    await Promise.all(
      [app.services, second.services].map((each) =>
        liveSessions(each)
          .flush()
          .catch(() => {}),
      ),
    )
    await Promise.all([app.services, second.services].map(storeLate))
    await Promise.all([app.services, second.services].map(({ instances }) => instances.flush()))
    await hearing.settled()
  })
  const portOf = (url: string) => Number(new URL(url).port)
  const secondPort = () => (second.server.server.address() as { port: number }).port
  proxy.sendTo([portOf(app.url), secondPort()])
  const { url } = proxy
  const jobsDone = async () => {
    await Promise.all([app.services, second.services].map(storeLate))
    await hearing.settled()
    // A job of one process may create work for the other.
    for (let round = 0; round < jobRounds; round++) {
      await Promise.all([app.jobsDone(), second.jobs.idle()])
      await hearing.settled()
    }
  }
  settleWith(app.db, async () => {
    await jobsDone()
    await removeErasedAccounts(app.services)
  })
  return {
    get services() {
      return app.services
    },
    get httpServer() {
      return app.httpServer
    },
    db: app.db,
    url,
    names: app.names,
    timeSource: app.timeSource,
    advance: app.advance,
    jumpClock: app.jumpClock,
    // Each process adjusts to a clock change only when it reads the clock.
    now: () => (second.services.clock(), app.now()),
    jobsDone,
    visitor: () => new Visitor(url),
    async stop() {
      await Promise.all([app.stop(), second.stop()])
    },
    async start(servedDir) {
      await app.start(servedDir)
      second = await newSecond(servedDir)
      proxy.sendTo([portOf(app.url), secondPort()])
    },
    async close() {
      await proxy.close()
      await second.stop()
      await hearing.close()
      await db.close()
      await app.close()
    },
  }
}
