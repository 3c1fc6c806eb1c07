import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { goodPassword, newOwner, type Owner } from '#testing/people/people.ts'
import { countRows, setAccountBanned, setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Visitor } from '#testing/people/visitor.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
})
beforeEach(() => app.advance(3600))
afterAll(() => app.close())

const hour = 3600
const day = 24 * hour
const status = async (visitor: Visitor) => (await visitor.call('GET /check-auth')).status
const withCookie = (cookie: string) => app.visitor().send('GET', '/api/1.0/website/check-auth', { headers: { cookie } })
async function signedIn(rememberMe = false): Promise<Visitor> {
  const visitor = app.visitor()
  const answer = await visitor.call('POST /login', {
    body: { username: owner.username, password: goodPassword, rememberMe },
  })
  expect(answer.status).toBe(200)
  return visitor
}

test('returns the signed-in account and nothing secret', async () => {
  const visitor = await signedIn()
  const { body } = await visitor.call('GET /check-auth')
  expect(body).toMatchObject({ success: true, userType: 'owner' })
  expect(body.user).toEqual({
    id: owner.id,
    ownerid: owner.id,
    username: owner.username,
    email: `${owner.username}@example.com`,
    displayName: owner.username,
    role: 'owner',
    createdAt: expect.any(Number),
    timeZone: null,
  })
})

test('a missing, a forged, and an ended session get the same 401, byte for byte except for the request ID (R-SES-09)', async () => {
  const ended = await signedIn()
  const cookie = ended.cookieHeader()
  app.advance(hour + 1)
  const answers = await Promise.all(
    ['', `sid=${'A'.repeat(43)}`, cookie, 'sid=short', `sid=${'%00'.repeat(10)}`, `sid=' or 1=1 --`].map(withCookie),
  )
  for (const answer of answers) {
    expectRejected(answer, 'session', 401)
    expect(seen(answer)).toBe(seen(answers[0] as typeof answer))
  }
  expect(answers[0]?.body).toMatchObject({ code: 'SESSION_REQUIRED', message: 'Please sign in' })
})

describe('session lifetime (R-SES-04)', () => {
  test('one hour without use', async () => {
    const visitor = await signedIn()
    app.advance(hour - 5)
    const cookie = visitor.cookieHeader()
    expect((await withCookie(cookie)).status).toBe(200)
    app.advance(hour - 5)
    expect((await withCookie(cookie)).status).toBe(200)
    app.advance(hour + 1)
    expect((await withCookie(cookie)).status).toBe(401)
  })

  test('24 hours, even with constant use', async () => {
    const visitor = await signedIn()
    for (let half = 1; half < 48; half++) {
      app.advance(hour / 2)
      expect(await status(visitor), `after ${half / 2} h`).toBe(200)
    }
    app.advance(hour / 2)
    expect(await status(visitor)).toBe(401)
  })

  test('a new session timeout applies to sessions on their next use', async () => {
    const visitor = await signedIn()
    await setPlatform(app, 'security', { sessionTimeout: 1 })
    app.advance(hour / 2)
    expect(await status(visitor)).toBe(200)
    app.advance(hour / 2 + 1)
    expect(await status(visitor)).toBe(401)
    await setPlatform(app, 'security', {})
  })

  test('an ended session stays ended when the timeout is raised', async () => {
    await setPlatform(app, 'security', { sessionTimeout: 1 })
    const visitor = await signedIn()
    const cookie = visitor.cookieHeader()
    app.advance(hour / 2)
    expect((await withCookie(cookie)).status).toBe(200)
    app.advance(hour / 2 + 1)
    await setPlatform(app, 'security', {})
    expect((await withCookie(cookie)).status).toBe(401)
  })

  test('30 days with "remember me", even with constant use (R-SES-04)', async () => {
    const used = await signedIn(true)
    for (let passed = 1; passed < 30; passed++) {
      app.advance(day)
      expect(await status(used)).toBe(200)
    }
    app.advance(day - 60)
    expect(await status(used)).toBe(200)
    app.advance(61)
    expect(await status(used)).toBe(401)
  })

  test("an unused remembered session ends after a week, and a platform timeout of one hour doesn't limit it (R-SES-04)", async () => {
    await setPlatform(app, 'security', { sessionTimeout: 1 })
    const [used, unused] = [await signedIn(true), await signedIn(true)]
    app.advance(7 * day - 60)
    expect(await status(used)).toBe(200)
    app.advance(61)
    expect([await status(used), await status(unused)]).toEqual([200, 401])
    await setPlatform(app, 'security', {})
  })
})

test('an account has at most 50 sessions; the next sign-in ends the oldest (R-SES-07)', async () => {
  const visitors: Visitor[] = []
  for (let n = 0; n < 51; n++) {
    visitors.push(await signedIn(true))
    app.advance(2)
  }
  const [first, second] = visitors as [Visitor, Visitor]
  expect(await status(first)).toBe(401)
  expect(await status(second)).toBe(200)
  const { n } = await app.db.read
    .selectFrom('account_sessions')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('account_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  expect(Number(n)).toBe(50)
})

test('no session of an account that is stored as banned is accepted', async () => {
  const visitors = [await signedIn(), await signedIn(true)]
  await setAccountBanned(app, owner.id, true)
  for (const visitor of visitors) expect((await withCookie(visitor.cookieHeader())).status).toBe(401)
  const change = await app.visitor().send('POST', '/api/1.0/website/create_app', { body: { appName: 'Banned app' } })
  expect(change.status).toBe(401)
  expect(await countRows(app, 'apps')).toBe(0)
  await setAccountBanned(app, owner.id, false)
  for (const visitor of visitors) expect((await withCookie(visitor.cookieHeader())).status).toBe(200)
})

test('the cookie of one account never opens another', async () => {
  const other = await newOwner(app)
  const visitor = await signedIn()
  expect((await visitor.call('GET /check-auth')).body.user.id).toBe(owner.id)
  expect((await other.visitor.call('GET /check-auth')).body.user.id).toBe(other.id)
})
