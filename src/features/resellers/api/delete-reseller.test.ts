import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test.each([
  [{ deleteLicenses: true }, undefined],
  [{ deleteUsers: true }, undefined],
  [{}, { deleteLicenses: true }],
])('either flag deletes the licenses too: body %j, query %j', async (body, query) => {
  const { owner, id, sell } = await newSellingReseller(app)
  await sell({ amount: 2 })
  const answer = await owner.visitor.call('DELETE /resellers/{id}', { params: { id }, body, ...(query && { query }) })
  expect(answer.body).toMatchObject({ success: true, deletedLicenses: 2 })
  expect((await owner.visitor.call('GET /resellers/{id}', { params: { id } })).status).toBe(404)
})

test("without a flag the licenses stay, with the creator's name", async () => {
  const { owner, id, sell, username } = await newSellingReseller(app)
  await sell()
  await owner.visitor.call('DELETE /resellers/{id}', { params: { id }, body: {} })
  const { licenses } = (await owner.visitor.call('GET /licenses')).body
  expect(licenses).toMatchObject([{ generatedBy: username, generatedByReseller: true }])
})
