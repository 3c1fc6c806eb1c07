import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected, expectRejected, notListQueries, seen } from '#testing/faults/hostile-input.ts'
import { newSubscriber, newUser, signedIn } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const body = { appId: owner.appId, settings: { oneSessionPerCredential: false } }
  await owner.visitor.call('POST /update_app', { body })
})
afterAll(() => app.close())

const list = (username: string, query = {}, by = owner) =>
  by.visitor.call('GET /user/{username}/sessions', { params: { username }, query })

test('lists the sessions of exactly this user, newest first', async () => {
  const username = await newSubscriber(owner, { username: 'mar' })
  const longer = await newSubscriber(owner, { username: 'maria' })
  await signedIn(app, owner, username)
  app.advance(1)
  const ended = await signedIn(app, owner, username)
  app.advance(1)
  await signedIn(app, owner, username)
  await signedIn(app, owner, longer)
  await ended.logout()
  const { sessions, ...page } = (await list(username)).body
  expect(page).toMatchObject({ total: 2, totalPages: 1 })
  expect(sessions.map(({ verifiedUser }) => verifiedUser)).toEqual([username, username])
  expect(sessions[0]?.created_at).toBe(app.now())
  const all = (await owner.visitor.call('GET /sessions')).body.sessions
  expect(sessions).toEqual(all.filter(({ verifiedUser }) => verifiedUser === username))
  expect((await list('MAR', { limit: 1, page: 2 })).body.sessions).toEqual([sessions[1]])
})

test('a user whose program does not run has none', async () => {
  expect((await list(await newUser(owner))).body).toMatchObject({ sessions: [], total: 0, totalPages: 1 })
})

test('bad pages and names are rejected', async () => {
  const username = await newUser(owner)
  await expectQueriesRejected(owner.visitor, `/user/${username}/sessions`, [...notListQueries, { search: username }])
  const long = `/api/1.0/website/user/${'u'.repeat(201)}/sessions`
  expectRejected(await owner.visitor.send('GET', long), 'long name')
})

test('a stranger is rejected, and a foreign user looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const username = await newUser(owner, 'foreign/1')
  const path = `/api/1.0/website/user/${encodeURIComponent(username)}/sessions`
  expectRejected(await app.visitor().send('GET', path), path, 401)
  const foreign = await list(username, {}, stranger)
  expectRejected(foreign, path, 404)
  expect(seen(foreign)).toBe(seen(await list('nobody-here', {}, stranger)))
})
