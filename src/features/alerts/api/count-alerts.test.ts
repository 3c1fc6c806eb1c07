import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAlert } from '#testing/busy-app.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('counts the new alerts of this app: reviewing one lowers the count', async () => {
  const owner = await newOwnerWithApp(app)
  const count = async () => (await owner.visitor.call('GET /alerts/count')).body
  expect(await count()).toMatchObject({ success: true, count: 0 })
  const id = await newAlert(app, owner)
  await newAlert(app, owner)
  await newAlert(app, owner, { status: 'dismissed' })
  await newAlert(app, await newOwnerWithApp(app))
  expect((await count()).count).toBe(2)
  await owner.visitor.call('POST /alerts/{id}/review', { params: { id }, body: {} })
  expect((await count()).count).toBe(1)
})
