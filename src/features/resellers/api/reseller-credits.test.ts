import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller } from '#testing/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('credits of one app are added and set, and the level stands in the history (conflicts C25)', async () => {
  const { owner, id, appName } = await newSellingReseller(app)
  const body = { appName, amount: 5, subscriptionLevel: 1 }
  const { body: added } = await owner.visitor.call('POST /resellers/{id}/credits/add', { params: { id }, body })
  expect(added).toMatchObject({ credits: 105, totalCredits: 105 })
  const { history } = (await owner.visitor.call('GET /resellers/{id}/credits/history', { params: { id } })).body
  expect(history[0]).toMatchObject({ transactionType: 'addition', amount: 5, subscriptionLevel: 1, appName })
})
