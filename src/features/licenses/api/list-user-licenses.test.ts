import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected, expectRejected, notListQueries, seen } from '#testing/faults/hostile-input.ts'
import { newSubscriber, newUser, signedIn } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const list = (username: string, query = {}, by = owner) =>
  by.visitor.call('GET /user/{username}/licenses', { params: { username }, query })

const keysOf = async (username: string, query = {}) =>
  (await list(username, query)).body.licenses.map(({ license }) => license)

async function redeem(username: string, keys: readonly string[]): Promise<void> {
  const program = await signedIn(app, owner, username)
  for (const licenseKey of keys) {
    app.advance(1)
    expect((await program.send('upgrade', { licenseKey })).body).toMatchObject({ success: true })
  }
}

test('lists the licenses that exactly this user redeemed, the last one first', async () => {
  const username = await newSubscriber(owner, { username: 'mar' })
  const longer = await newSubscriber(owner, { username: 'maria' })
  const [first = '', second = '', ofLonger = ''] = await newLicenses(owner, 3)
  await redeem(username, [second, first])
  await redeem(longer, [ofLonger])
  expect(await keysOf(username)).toEqual([first, second])
  expect(await keysOf('MAR')).toEqual([first, second])
  expect(await keysOf(longer)).toEqual([ofLonger])
  const listed = await owner.visitor.call('GET /licenses', { query: { search: first } })
  expect((await list(username)).body.licenses[0]).toEqual(listed.body.licenses[0])
})

test('returns a page and the total', async () => {
  const username = await newSubscriber(owner, { username: 'collector' })
  const keys = await newLicenses(owner, 3)
  await redeem(username, keys)
  expect((await list(username, { limit: 2 })).body).toMatchObject({ total: 3, totalPages: 2, licenses: { length: 2 } })
  expect(await keysOf(username, { limit: 2, page: 2 })).toEqual([keys[0]])
  expect(await keysOf(username, { limit: 2, page: 9 })).toEqual([])
})

test('a user who redeemed none has none', async () => {
  expect((await list(await newSubscriber(owner))).body).toMatchObject({ licenses: [], total: 0, totalPages: 1 })
})

test('bad pages and names are rejected', async () => {
  const username = await newUser(owner)
  await expectQueriesRejected(owner.visitor, `/user/${username}/licenses`, [...notListQueries, { search: username }])
  const long = `/api/1.0/website/user/${'u'.repeat(201)}/licenses`
  expectRejected(await owner.visitor.send('GET', long), 'long name')
})

test('a stranger is rejected, and a foreign user looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const username = await newUser(owner, 'foreign/1')
  const path = `/api/1.0/website/user/${encodeURIComponent(username)}/licenses`
  expectRejected(await app.visitor().send('GET', path), path, 401)
  const foreign = await list(username, {}, stranger)
  expectRejected(foreign, path, 404)
  expect(seen(foreign)).toBe(seen(await list('nobody-here', {}, stranger)))
})
