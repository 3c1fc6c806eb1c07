import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('returns the offered plans in order, with -1 for no limit', async () => {
  const { visitor } = await newOwner(app)
  const { body } = await visitor.call('GET /plans')
  expect(body.plans.map(({ name, price }) => [name, price])).toEqual([
    ['Free', 0],
    ['Developer', 9.99],
    ['Pro', 24.99],
  ])
  expect(body.plans[1]).toMatchObject({ limits: { max_apps: 5, max_users_per_app: -1 }, features: { webhooks: true } })
  await app.db.write(({ db }) => db.updateTable('plans').set({ active: 0 }).where('name', '=', 'Developer').execute())
  expect((await visitor.call('GET /plans')).body.plans.map(({ name }) => name)).toEqual(['Free', 'Pro'])
})
