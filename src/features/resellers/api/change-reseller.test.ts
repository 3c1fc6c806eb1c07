import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('the address and the ban change, and a wrong address does not', async () => {
  const owner = await newOwnerWithApp(app)
  const { id } = await newReseller(app, owner)
  const change = (body: object) => owner.visitor.call('PUT /resellers/{id}', { params: { id }, body })
  expect((await change({ email: 'new@example.com', banned: true })).body).toMatchObject({
    email: 'new@example.com',
    banned: true,
  })
  expect((await change({ email: 'no address' })).body.code).toBe('EMAIL_INVALID')
  expect((await change({ username: 'other' })).status).toBe(400)
})
