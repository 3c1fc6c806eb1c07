import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Actions on many rows: everybody else's transactions pass in between, and they end when nobody waits for them. */

let app: TestApp
const rows = 4000

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function ownerOfMany(): Promise<OwnedApp> {
  const owner = await newOwnerWithApp(app)
  for (let made = 0; made < rows; made += 1000) await newLicenses(owner, 1000)
  return owner
}

const totalOf = async (owner: OwnedApp, status: 'banned' | 'unused') =>
  (await owner.visitor.call('GET /licenses', { query: { status } })).body.total

/** The same number twice, with calls in between that an action which goes on would have used. */
async function settled(count: () => Promise<number>): Promise<number> {
  for (let before = await count(); ;) {
    const after = await count()
    if (after === before) return after
    before = after
  }
}

function post(owner: OwnedApp, path: string, body: object, signal: AbortSignal): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    'x-csrf-token': owner.visitor.csrf,
    cookie: owner.visitor.cookieHeader(),
    'x-app-id': owner.appId,
  }
  const options = { method: 'POST', headers, body: JSON.stringify(body), signal }
  return fetch(`${app.url}/api/1.0/website${path}`, options).catch(() => undefined)
}

test('an action whose caller disconnects ends after the current batch', async () => {
  const owner = await ownerOfMany()
  const left = new AbortController()
  // Published after the commit of each batch.
  app.db.events.on('access', (appId) => appId === owner.appId && left.abort())
  const body = { action: 'ban', filter: { status: 'unused' }, expectedCount: rows }
  await post(owner, '/licenses/bulk', body, left.signal)
  const banned = await settled(() => totalOf(owner, 'banned'))
  expect(banned).toBeGreaterThan(0)
  expect(banned).toBeLessThan(rows)
})

test("other callers' transactions run between two batches", async () => {
  const owner = await ownerOfMany()
  const state = { isOver: false }
  const answer = owner.visitor
    .call('POST /licenses/bulk', { body: { action: 'ban', filter: {}, expectedCount: rows } })
    .finally(() => (state.isOver = true))
  let passed = 0
  while (!state.isOver) {
    await app.db.write(async ({ db }) => db.selectFrom('apps').select('id').limit(1).execute())
    passed += 1
  }
  expect((await answer).body).toMatchObject({ done: rows })
  expect(passed).toBeGreaterThanOrEqual(rows / 500)
})

test("with an Idempotency-Key, a filter is evaluated before the call's single transaction", async () => {
  const owner = await newOwnerWithApp(app)
  await newLicenses(owner, 3)
  const headers = { 'idempotency-key': 'once-and-no-more' }
  const ban = (expectedCount: number) =>
    owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', filter: {}, expectedCount }, headers })
  const first = await ban(3)
  expect(first.body).toMatchObject({ done: 3 })
  // Its answer is known, whatever the filter matches by now.
  await newLicenses(owner, 2)
  expect((await ban(3)).body).toEqual(first.body)
  expect(await totalOf(owner, 'banned')).toBe(3)
})
