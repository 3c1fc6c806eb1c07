import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, newUser, signedIn, userOf } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notLists } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

test('unbinds those named, once each, and lists the names it did not find', async () => {
  const names = [await newSubscriber(owner), await newSubscriber(owner), await newSubscriber(owner)] as const
  for (const name of names) await signedIn(app, owner, name)
  const usernames = [names[0], names[1], names[1].toUpperCase(), 'nobody-here']
  const { body } = await owner.visitor.call('POST /bulk_reset_hwid', { body: { usernames } })
  expect(body).toMatchObject({
    success: true,
    code: 'USERS_HWID_RESET_OK',
    message: 'HWID of 2 users reset successfully',
    values: { count: 2 },
    reset: 2,
    notFound: ['nobody-here'],
  })
  expect((await userOf(owner, names[0]))?.hwid).toBe('')
  expect((await userOf(owner, names[1]))?.hwid).toBe('')
  expect((await userOf(owner, names[2]))?.hwid).not.toBe('')
})

test('without a selection it says so', async () => {
  for (const body of [{}, { usernames: [] }]) {
    const answer = await owner.visitor.send('POST', '/api/1.0/website/bulk_reset_hwid', { body })
    expect(answer).toMatchObject({ status: 400, body: { message: 'No users selected' } })
  }
})

test('hostile bodies are rejected and nothing changes', async () => {
  const usernames = [await newUser(owner)]
  const hostile = [...notLists, [...usernames, 5], Array.from({ length: 1001 }, (_, n) => `name-${n}`)]
  await expectAllRejected(app, owner.visitor, '/bulk_reset_hwid', hostileBodies({ usernames }, { usernames: hostile }))
})
