import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('the dashboard has the apps with credits, plans and levels', async () => {
  const { visitor, appName, sell } = await newSellingReseller(app)
  await sell()
  const { dashboard } = (await visitor.call('GET /reseller/dashboard')).body
  expect(dashboard).toMatchObject({ totalCredits: 95, stats: { total: 1 }, apps: [{ appName, credits: 95 }] })
  expect(dashboard.apps[0]?.subscriptions).toEqual({ '1': { name: 'Basic', active: true } })
  expect((await visitor.call('GET /reseller/apps')).body.apps).toEqual(dashboard.apps)
  const { body } = await visitor.call('GET /reseller/credits', { query: { appName } })
  expect(body).toMatchObject({ credits: 95, planCosts: { '30': 5, '7': 2 } })
})

test("each app has the plan and level of the reseller's own last sale (R-TEN-06)", async () => {
  const reseller = await newSellingReseller(app)
  const { visitor, owner, sell } = reseller
  const last = async () => (await visitor.call('GET /reseller/apps')).body.apps[0]?.lastSale
  expect(await last()).toBeNull()
  const colleague = await newSellingReseller(app, {}, owner)
  await colleague.sell()
  expect(await last()).toBeNull()
  await owner.visitor.call('POST /create_subscription', { body: { level: 3, name: 'Studio' } })
  await sell()
  const sold = (await sell({ plan: '7', subscriptionLevel: 3 })).body as unknown as { licenses: string[] }
  expect(await last()).toEqual({ plan: '7', subscriptionLevel: 3, soldAt: app.now() })
  // A duration that is no plan, as the owner may set.
  const licenseKey = sold.licenses[0] ?? ''
  await app.db.write(({ db }) =>
    db.updateTable('licenses').set({ duration_seconds: 90 }).where('license', '=', licenseKey).execute(),
  )
  expect(await last()).toBeNull()
})
