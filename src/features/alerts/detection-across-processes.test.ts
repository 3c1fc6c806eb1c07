import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { features } from '#features.ts'
import { startServer } from '#server/start-server.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { migratedPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'

/** One process may run every round: it must not matter which one people call. */
describe.runIf(testEngine === 'postgres')('of two processes on one database', () => {
  let app: TestApp
  let db: Database
  let second: Awaited<ReturnType<typeof startServer>>

  beforeAll(async () => {
    const url = await migratedPostgresUrl()
    app = await startTestApp({ postgres: { url } })
    db = await openPostgres({ url, connections: { calls: 4 } })
    const { config, masterKey, log, passwords } = app.services
    second = await startServer({ config, db, masterKey, log, timeSource: app.timeSource, passwords }, features)
  })
  afterAll(async () => {
    await second.stop()
    await db.close()
    await app.close()
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
})
