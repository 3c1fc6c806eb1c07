import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const create = (body: { level?: number; name: string; active?: boolean }) =>
  owner.visitor.call('POST /create_subscription', { body })

test('20 levels created at the same time without a number get 20 different numbers', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ name: `Auto ${n}` })))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  const levels = answers.map(({ body }) => body.subscription.level).toSorted((a, b) => a - b)
  expect(levels).toEqual(Array.from({ length: 20 }, (_, n) => n + 2))
})

test('there is no next level after the highest one, and the reply says so', async () => {
  expect((await create({ level: 1_000_000, name: 'Last' })).status).toBe(200)
  const { status, body } = await create({ name: 'One more' })
  expect([status, body.code]).toEqual([409, 'SUBSCRIPTION_LEVEL_TAKEN'])
})
