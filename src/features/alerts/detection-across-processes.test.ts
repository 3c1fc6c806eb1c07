import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { features } from '#features.ts'
import { startServer } from '#server/start-server.ts'
import { FlakyProxy } from '#testing/faults/flaky-proxy.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { migratedPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'

/** One process may run every round: it must not matter which one people call. */
describe.runIf(testEngine === 'postgres')('of two processes on one database', () => {
  let app: TestApp
  let db: Database
  let second: Awaited<ReturnType<typeof startServer>>
  let proxy: FlakyProxy

  beforeAll(async () => {
    const url = await migratedPostgresUrl()
    proxy = await FlakyProxy.start(url)
    const through = new URL(url)
    through.port = String(proxy.port)
    app = await startTestApp({ postgres: { url: through.toString() } })
    db = await openPostgres({ url, connections: { calls: 4 } })
    const { config, masterKey, log, passwords } = app.services
    second = await startServer({ config, db, masterKey, log, timeSource: app.timeSource, passwords }, features)
  })
  afterAll(async () => {
    await second.stop()
    await db.close()
    await app.close()
    await proxy.close()
  })

  test('each detects what people did through the other', async () => {
    const know = () => [app, second].map(({ services }) => services.instances.hasOtherInstances)
    await expect.poll(know).toEqual([true, true])
    // The first round, which includes what earlier processes left.
    app.advance(60)
    await second.jobs.idle()
    for (const runner of [second.jobs, { idle: app.jobsDone }]) {
      const reseller = await newSellingReseller(app, { credits: 10_000 })
      app.advance(300)
      await runner.idle()
      expect((await reseller.sell({ amount: 100 })).status).toBe(200)
      app.advance(60)
      await runner.idle()
      const found = async () => {
        // Also what the other process has added since.
        await runner.idle()
        const alerts = app.db.read.selectFrom('alerts').select('type').where('app_id', '=', reseller.owner.appId)
        return (await alerts.execute()).map(({ type }) => type)
      }
      await expect.poll(found).toContain('RESELLER_LICENSE_PATTERN')
    }
  })
  test('one that has lost its connection detects what it was not told meanwhile', async () => {
    const { appId } = await newOwnerWithApp(app)
    app.advance(300)
    await app.jobsDone()
    await second.jobs.idle()
    await proxy.reject()
    const activity = { appId, at: app.now(), call: 'login', ip: '203.0.113.7', hwidHash: 'one machine' }
    for (const username of ['ada', 'ben', 'cyd']) activityLog(second.services).record({ ...activity, username })
    await activityLog(second.services).flush()
    await proxy.restore()
    await expect
      .poll(() =>
        app.db.ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    app.advance(60)
    await app.jobsDone()
    const found = async () => {
      await second.jobs.idle()
      await app.jobsDone()
      const alerts = app.db.read.selectFrom('alerts').select('type').where('app_id', '=', appId)
      return (await alerts.execute()).map(({ type }) => type)
    }
    await expect.poll(found).toContain('HWID_MULTI_KEY')
  })
})
