import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newSubscriber, newUser } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const read = (username: string, by = owner) => by.visitor.call('GET /user/{username}', { params: { username } })

test('reads the user with exactly this name, not one whose name contains it', async () => {
  const username = await newSubscriber(owner, { username: 'ana' })
  await newUser(owner, 'anabel')
  const listed = await owner.visitor.call('GET /users', { query: { search: 'ana' } })
  expect((await read('ana')).body.user).toEqual(listed.body.users.find((user) => user.username === username))
  expect((await read('ANA')).body.user.username).toBe('ana')
  expectRejected(await read('an'), 'part of a name', 404)
})

test('names with any characters are found by the path', async () => {
  for (const username of ['a/b', 'x/../y', '100%', 'what?', '日本語']) {
    await newUser(owner, username)
    expect((await read(username)).body.user.username).toBe(username)
  }
})

test('a name that is too long or broken is rejected', async () => {
  const at = (path: string) => owner.visitor.send('GET', `/api/1.0/website/user/${path}`)
  for (const path of ['u'.repeat(201), 'NUL%00', '%E0%A4%A', 'ana?noSuchField=1']) expectRejected(await at(path), path)
})

test('a stranger is rejected, and a user of another owner looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const username = await newUser(owner)
  const path = `/api/1.0/website/user/${username}`
  expectRejected(await app.visitor().send('GET', path), path, 401)
  const foreign = await read(username, stranger)
  expectRejected(foreign, path, 404)
  expect(seen(foreign)).toBe(seen(await read('nobody-here', stranger)))
})
