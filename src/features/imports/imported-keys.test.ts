import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, userOf } from '#testing/people/end-users.ts'
import { imported } from '#testing/people/imported.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a license for a user whose time is over ends with it, and is extended with it', async () => {
  const owner = await newOwnerWithApp(app)
  const { visitor } = owner
  const key = 'ENDED-1234'
  const end = app.now() - 10 * day
  await imported(owner, {
    withKeys: true,
    users: [{ username: key, subscriptions: [{ level: '1', expiry: String(end) }] }],
  })
  const license = async () => (await visitor.call('GET /license/{license}', { params: { license: key } })).body.license
  const endOfUser = async () => (await userOf(owner, key))?.subscriptions[1]?.expiry
  expect(await license()).toMatchObject({ usedAt: end - 1, expiry: 1, expiresAt: end })
  expect(await endOfUser()).toBe(end)
  const sources = await visitor.call('GET /user/{username}/time_sources', { params: { username: key } })
  expect(sources.body.levels).toMatchObject([{ licenses: [{ key, given: 1, left: 0 }] }])
  await visitor.call('POST /update_license', { body: { licenseKey: key, expiry: 30 * day } })
  const { expiresAt } = await license()
  expect(expiresAt).toBe(end - 1 + 30 * day)
  expect(await endOfUser()).toBe(expiresAt)
})
