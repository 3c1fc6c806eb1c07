import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'
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

test('a set-up link is replaced by its owner, as long as nobody has used it', async () => {
  const owner = await newOwnerWithApp(app)
  const renew = ({ id }: { id: string }, { visitor }: Pick<typeof owner, 'visitor'> = owner) =>
    visitor.call('POST /resellers/{id}/setup-link', { params: { id } })
  const created = await newReseller(app, owner)
  const { body } = await renew(created)
  expect(body).toMatchObject({ username: created.username, setupExpiresAt: app.now() + 7 * 86_400 })
  expect(body.registrationToken).not.toBe(created.registrationToken)
  expect((await renew(created, await newOwnerWithApp(app))).body.code).toBe('RESELLER_NOT_FOUND')
  const { id } = await newSellingReseller(app, {}, owner)
  expect((await renew({ id })).body.code).toBe('RESELLER_SET_UP_ALREADY')
})
