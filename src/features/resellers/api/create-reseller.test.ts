import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a reseller needs a free username, and the reply has the token of a set-up link', async () => {
  const { visitor } = await newOwnerWithApp(app)
  const create = (username: string) => visitor.call('POST /resellers/create', { body: { username } })
  const { body } = await create('new_reseller')
  expect(body).toMatchObject({ username: 'new_reseller', reseller: { setUp: false, username: 'new_reseller' } })
  expect(body.reseller.registrationToken).toMatch(/^[\w-]{43}$/)
  expect((await create(' ')).body).toMatchObject({ code: 'USERNAME_REQUIRED', message: 'Username is required' })
  expect((await create('New_Reseller')).status).toBe(409)
})
