import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { strangeTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const activity = async (username: string, who = owner) =>
  (await who.visitor.call('GET /alerts/user/{username}/activity', { params: { username } })).body

test("what a user's programs did is listed, newest first, and nobody else's", async () => {
  const program = await signedIn(app, owner, await newSubscriber(owner, { username: 'ada' }))
  await signedIn(app, owner, await newSubscriber(owner, { username: 'ben' }))
  app.advance(5)
  await program.login('ada', 'a wrong password')
  expect(await activity('ada')).toMatchObject({
    username: 'ada',
    activity: [
      { call: 'login', code: 'INVALID_CREDENTIALS', ip: '127.0.0.1', timestamp: app.now() },
      { call: 'login', code: '', hwid: expect.stringMatching(/^[\w-]{43}$/) },
    ],
  })
  expect((await activity('ada', await newOwnerWithApp(app))).activity).toEqual([])
})

test.each(strangeTexts)('%j is a user whom nobody heard of', async (username) => {
  expect((await activity(username)).activity).toEqual([])
})
