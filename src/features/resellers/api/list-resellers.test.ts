import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { assign, newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('resellers come newest first, by page and by search, and by name', async () => {
  const owner = await newOwnerWithApp(app)
  const made: string[] = []
  for (let n = 0; n < 3; n++) {
    app.advance(1)
    made.unshift((await newReseller(app, owner)).username)
  }
  const list = async (query: object) => (await owner.visitor.call('GET /resellers', { query })).body
  const page = await list({ limit: 2 })
  expect(page.resellers.map(({ username }) => username)).toEqual(made.slice(0, 2))
  expect([page.total, page.totalPages]).toEqual([3, 2])
  expect((await list({ search: made[2] })).total).toBe(1)
  const params = { username: made[0] ?? '' }
  const { body } = await owner.visitor.call('GET /resellers/by-username/{username}', { params })
  expect(body.reseller).toMatchObject({ username: made[0], stats: { total: 0, usage_rate: 0 } })
})

test('a reseller has the number of licenses in each app, also in one that is no longer assigned', async () => {
  const reseller = await newSellingReseller(app)
  const { owner, id, username, appName } = reseller
  const colleague = await newSellingReseller(app, {}, owner)
  const { body: other } = await owner.visitor.call('POST /create_app', { body: { appName: 'Other app' } })
  const level = { level: 1, name: 'Basic' }
  await owner.visitor.call('POST /create_subscription', { body: level, headers: { 'x-app-id': other.appId } })
  await assign(owner, { id, appName: other.appName, credits: 10, planCosts: { '30': 4 } })
  await reseller.sell({ amount: 2 })
  await reseller.sell({ appName: other.appName })
  await colleague.sell({ amount: 3 })
  await owner.visitor.call('DELETE /resellers/{id}/apps/{app}', { params: { id, app: appName } })
  const { resellers } = (await owner.visitor.call('GET /resellers')).body
  const stats = resellers.find((each) => each.username === username)?.stats
  expect(stats?.totalLicensesGenerated).toBe(3)
  expect(new Map(stats?.licensesByApp.map(({ appId, licenses }) => [appId, licenses]))).toEqual(
    new Map([
      [owner.appId, 2],
      [other.appId, 1],
    ]),
  )
})
