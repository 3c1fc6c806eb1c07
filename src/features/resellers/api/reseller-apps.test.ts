import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxCredits } from '#features/credits/credits.rules.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('an app is assigned once, and configured under both names of each field', async () => {
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

test("a value that a sale or another tab changed in the meantime isn't overwritten (FIELD_CHANGED)", async () => {
  const { owner, id, appName, sell, credits } = await newSellingReseller(app, { credits: 100 })
  const configure = (body: object) =>
    owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params: { id, app: appName }, body })
  await sell()
  const stale = await configure({
    credits: 110,
    allowedSubscriptions: [1],
    before: { credits: 100, allowedSubscriptions: [] },
  })
  expect(stale).toMatchObject({ status: 409, body: { code: 'FIELD_CHANGED', current: { credits: 95 } } })
  expect(await credits()).toBe(95)
  const plans = { allowedPlans: ['7', '30'], planCosts: { '7': 2, '30': 5 } }
  const levels = await configure({ allowedPlans: ['1'], before: { allowedPlans: ['365'] } })
  expect(levels.body).toMatchObject({ code: 'FIELD_CHANGED', current: { allowedPlans: plans.allowedPlans } })
  const { body } = await configure({ credits: 110, allowedPlans: ['1', '30'], before: { credits: 95, ...plans } })
  expect(body.assignedApps).toMatchObject([{ credits: 110, allowedPlans: ['1', '30'], allowedSubscriptions: [] }])
  // Repeats the request, as after a lost response.
  const again = await configure({ credits: 110, before: { credits: 95 } })
  expect(again.status).toBe(200)
})

test('a balance above what one call sets can be edited with the balance that was seen', async () => {
  const { owner, id, appName, credits } = await newSellingReseller(app, { credits: maxCredits })
  await owner.visitor.call('POST /resellers/{id}/credits/add', { params: { id }, body: { appName, amount: 5 } })
  const before = { credits: maxCredits + 5 }
  const input = { params: { id, app: appName }, body: { credits: 50, before } }
  expect((await owner.visitor.call('PUT /resellers/{id}/apps/{app}', input)).status).toBe(200)
  expect(await credits()).toBe(50)
})
