import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller } from '#testing/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('an app is assigned once, and configured under both names of each field (conflicts C27)', async () => {
  const { owner, id, appName } = await newSellingReseller(app)
  const again = await owner.visitor.call('POST /resellers/{id}/apps', { params: { id }, body: { appName } })
  expect(again.body.code).toBe('APP_ALREADY_ASSIGNED')
  const path = `/api/1.0/website/resellers/${id}/apps/${encodeURIComponent(appName)}`
  const body = { totalCredits: 9, plans: ['30'], costs: { '30': 4 }, subscriptions: [1] }
  const { body: reply } = await owner.visitor.send('PUT', path, { body })
  expect(reply).toMatchObject({
    assignedApps: [
      { appName, credits: 9, totalCredits: 9, allowedPlans: ['30'], planCosts: { '30': 4 }, allowedSubscriptions: [1] },
    ],
  })
})
