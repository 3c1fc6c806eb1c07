import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'
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
