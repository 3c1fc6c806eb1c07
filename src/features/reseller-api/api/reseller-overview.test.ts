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
