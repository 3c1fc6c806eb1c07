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

/** As long as a chain of jobs gets in any test. */
const jobRounds = 3

/** What a process writes down, or sends to the other, some time after its reply. */
async function storeLate(services: Services): Promise<void> {
  services.metrics.requests.share()
  await webhookEvents(services).settled()
  await Promise.all([activityLog(services).flush(), downloadCounts(services).flush()])
}

/**
 * A second server on the database of `app`, with a handle of its own, and a proxy that sends each request to the next
 * of the two. Before each it waits until both have heard what was published: how long that takes is no test's matter.
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
    // What a job of one process leaves to do, the other may take.
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
    // Each believes a clock that has jumped by itself, when it has looked at it again.
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
