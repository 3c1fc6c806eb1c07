import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller } from '#testing/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('licenses are listed newest first, with their plan, and counted', async () => {
  const { visitor, appName, sell } = await newSellingReseller(app)
  await sell({ amount: 2 })
  await sell({ plan: '7', notes: 'for a friend' })
  const query = { appName }
  const { licenses, total } = (await visitor.call('GET /reseller/licenses', { query })).body
  expect([total, licenses[0]]).toMatchObject([3, { expiry: 7 * 86_400, notes: 'for a friend', used: false, appName }])
  const { stats } = (await visitor.call('GET /reseller/licenses/stats', { query })).body
  expect(stats).toMatchObject({ total: 3, used: 0, unused: 3, usage_rate: 0 })
  expect((await sell({ mask: ' ' })).body.message).toBe('Please enter a license mask')
  expect((await visitor.call('GET /reseller/licenses')).body.code).toBe('NO_APP_SELECTED')
})
