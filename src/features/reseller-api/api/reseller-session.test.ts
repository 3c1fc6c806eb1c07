import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { fillPasswordQueue } from '#testing/faults/full-password-queue.ts'
import { newAdmin, newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newReseller, newSellingReseller, resellerPassword } from '#testing/people/resellers.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const setUp = (registrationToken: string, body: { email: string; password: string }, visitor = app.visitor()) =>
  visitor.call('POST /reseller/setup/{registrationToken}', { params: { registrationToken }, body })
const form = (name: string) => ({ email: `${name}@example.com`, password: resellerPassword })

test('a set-up link works once, also when used concurrently, and only for 7 days', async () => {
  const owner = await newOwnerWithApp(app)
  const first = await newReseller(app, owner)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => setUp(first.registrationToken, form(first.username))),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403])
  const late = await newReseller(app, owner)
  const params = { id: late.id }
  const renewed = (await owner.visitor.call('POST /resellers/{id}/setup-link', { params })).body.registrationToken
  expect((await setUp(late.registrationToken, form(late.username))).status).toBe(403)
  app.advance(7 * 86_400)
  expect((await setUp(renewed, form(late.username))).status).toBe(403)
})

test('a set-up link says whose account it sets up, and is invalid once it was used, was replaced, or has expired', async () => {
  const owner = await newOwnerWithApp(app)
  const [used, replaced, late] = [
    await newReseller(app, owner),
    await newReseller(app, owner),
    await newReseller(app, owner),
  ]
  const look = (registrationToken: string) =>
    app.visitor().call('GET /reseller/setup/{registrationToken}', { params: { registrationToken } })
  const { status, body } = await look(used.registrationToken)
  expect([status, body.username, body.expiresAt - app.now()]).toEqual([200, used.username, 7 * 86_400])
  await setUp(used.registrationToken, form(used.username))
  await owner.visitor.call('POST /resellers/{id}/setup-link', { params: { id: replaced.id } })
  app.advance(7 * 86_400)
  for (const token of [used.registrationToken, replaced.registrationToken, late.registrationToken, 'no-such-link'])
    expect([(await look(token)).status, (await look(token)).body.code]).toEqual([403, 'SETUP_LINK_INVALID'])
})

test('the set-up link is nowhere in the database', async () => {
  const { registrationToken } = await newReseller(app, await newOwnerWithApp(app))
  const rows = await app.db.read.selectFrom('resellers').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(registrationToken)
})

test.each(['POST /login', 'POST /reseller/login'] as const)('%s signs a reseller in', async (call) => {
  const { username } = await newSellingReseller(app)
  const visitor = app.visitor()
  const wrong = await visitor.call(call, { body: { username, password: 'Wrong9Horses' } })
  expect([wrong.status, wrong.body.code]).toEqual([403, 'LOGIN_FAILED'])
  const { body } = await visitor.call(call, { body: { username, password: resellerPassword } })
  expect(body).toMatchObject({ success: true, userType: 'reseller', user: { username, role: 'reseller' } })
  expect((await visitor.call('GET /reseller/check-auth')).status).toBe(200)
  expect((await visitor.call('GET /check-auth')).status).toBe(403)
  await visitor.call('POST /reseller/logout')
  expect((await visitor.call('GET /reseller/check-auth')).status).toBe(401)
})

test('one browser can be signed in as an owner and as a reseller, and neither acts for the other (R-SES-02)', async () => {
  const { visitor, username: ownerName } = await newOwnerWithApp(app)
  const { username } = await newSellingReseller(app)
  await visitor.call('POST /reseller/login', { body: { username, password: resellerPassword } })
  expect((await visitor.call('GET /check-auth')).body.user.username).toBe(ownerName)
  expect((await visitor.call('GET /reseller/check-auth')).body.user.username).toBe(username)
  await visitor.call('POST /reseller/logout')
  expect((await visitor.call('GET /reseller/check-auth')).status).toBe(403)
  expect((await visitor.call('POST /create_app', { body: { appName: 'Still signed in' } })).status).toBe(200)
})

test.each([
  ['account_sessions', 'GET /apps', 'GET /reseller/apps'],
  ['reseller_sessions', 'GET /reseller/apps', 'GET /apps'],
] as const)(
  'an ended session in %s asks for a sign-in, although the browser has one of the other kind',
  async (sessions, own, other) => {
    const { visitor } = await newOwnerWithApp(app)
    const { username } = await newSellingReseller(app)
    await visitor.call('POST /reseller/login', { body: { username, password: resellerPassword } })
    await app.db.write(({ db }) => db.deleteFrom(sessions).execute())
    const { status, body } = await visitor.call(own)
    expect([status, body.code]).toEqual([401, 'SESSION_REQUIRED'])
    expect((await visitor.call(other)).status).toBe(200)
  },
)

test.each([
  ['POST /reseller/logout', 'GET /check-auth', 'reseller_sessions'],
  ['POST /logout', 'GET /reseller/check-auth', 'account_sessions'],
] as const)('%s ends no session of the other kind when its own has already ended', async (logout, other, sessions) => {
  const { visitor } = await newOwnerWithApp(app)
  const { username } = await newSellingReseller(app)
  await visitor.call('POST /reseller/login', { body: { username, password: resellerPassword } })
  await app.db.write(({ db }) => db.deleteFrom(sessions).execute())
  expect((await visitor.call(logout)).status).toBe(200)
  expect((await visitor.call(other)).status).toBe(200)
  expect(visitor.cookieHeader()).not.toMatch(logout === 'POST /logout' ? /\bsid=/ : /\brsid=/)
})

test('a ban ends all sessions at once and prevents sign-ins', async () => {
  const { owner, id, visitor, username } = await newSellingReseller(app)
  const ban = () => owner.visitor.call('POST /resellers/{id}/ban', { params: { id } })
  expect((await ban()).body.banned).toBe(true)
  expect((await visitor.call('GET /reseller/apps')).status).toBe(401)
  const login = () => app.visitor().call('POST /login', { body: { username, password: resellerPassword } })
  expect((await login()).body.code).toBe('ACCOUNT_BANNED')
  expect((await ban()).body.banned).toBe(false)
  expect((await login()).status).toBe(200)
})

test('with a banned owner, no reseller can continue or sign in (R-AUTH-14)', async () => {
  const { owner, visitor, username } = await newSellingReseller(app)
  const admin = await newAdmin(app)
  const ban = (banned: boolean) =>
    admin.visitor.call('POST /admin/owners/{id}/ban', { params: { id: owner.id }, body: { banned } })
  await ban(true)
  expect((await visitor.call('GET /reseller/apps')).status).toBe(401)
  const signIn = () => app.visitor().call('POST /login', { body: { username, password: resellerPassword } })
  expect((await signIn()).body.code).toBe('ACCOUNT_BANNED')
  await ban(false)
  expect((await visitor.call('GET /reseller/apps')).status).toBe(200)
  expect((await signIn()).status).toBe(200)
})

test('a name belongs to one account, owner or reseller', async () => {
  const owner = await newOwnerWithApp(app)
  const { username } = await newReseller(app, owner)
  for (const taken of [username.toUpperCase(), owner.username])
    expect((await owner.visitor.call('POST /resellers/create', { body: { username: taken } })).status).toBe(409)
  const body = { ...form(`${username}x`), username, displayName: 'x' }
  expect((await app.visitor().call('POST /register', { body })).status).toBe(409)
})

test('an address belongs to one account, owner or reseller', async () => {
  const { owner, username } = await newSellingReseller(app)
  const email = `${username}@EXAMPLE.com`
  expect((await owner.visitor.call('POST /profile/update', { body: { email } })).body.code).toBe('ACCOUNT_TAKEN')
  const body = { username: `${username}y`, email, password: resellerPassword, displayName: 'x' }
  expect((await app.visitor().call('POST /register', { body })).body.code).toBe('ACCOUNT_TAKEN')
  const { registrationToken } = await newReseller(app, owner)
  const answer = await setUp(registrationToken, form(owner.username))
  expect([answer.status, answer.body.code]).toEqual([409, 'ACCOUNT_TAKEN'])
})

test('of two set-ups that take the same address concurrently, one gets it', async () => {
  const owner = await newOwnerWithApp(app)
  const resellers = [await newReseller(app, owner), await newReseller(app, owner)]
  const answers = await Promise.all(
    resellers.map(({ registrationToken }) => setUp(registrationToken, form(`${owner.username}.both`))),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test.skipIf(hasTwoProcesses)('a set-up that is rejected anyway says why, and costs no hash', async () => {
  const owner = await newOwnerWithApp(app)
  const [banned, other] = [await newReseller(app, owner), await newReseller(app, owner)]
  await owner.visitor.call('POST /resellers/{id}/ban', { params: { id: banned.id } })
  const empty = await fillPasswordQueue(app.services.passwords, accountHashing('127.0.0.1'))
  const codeOf = async ({ registrationToken }: typeof other, name: string) =>
    (await setUp(registrationToken, form(name))).body.code
  expect(await codeOf(banned, banned.username)).toBe('ACCOUNT_BANNED')
  expect(await codeOf(other, owner.username)).toBe('ACCOUNT_TAKEN')
  expect(await codeOf(other, other.username)).toBe('SERVER_BUSY')
  await empty()
  expect(await codeOf(other, other.username)).toBe('RESELLER_SETUP_OK')
})

/**
 * Two calls at the same time. On PostgreSQL, neither changes an account or a reseller before both have come to that or
 * wait for each other; SQLite runs one transaction after the other.
 */
async function together<A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  if (app.db.engine === 'sqlite') return Promise.all([first(), second()])
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const answers = await app.db.write(async ({ db }) => {
    await sql`lock table accounts, resellers in share row exclusive mode`.execute(db)
    const both = Promise.all([first(), second()])
    await expect.poll(async () => (await waiting.execute(app.db.read)).rows.length).toBeGreaterThanOrEqual(2)
    // Awaiting them here would never end.
    return { both }
  })
  return answers.both
}

test('of an owner and a reseller who take the same name or address concurrently, one gets it', async () => {
  const owner = await newOwnerWithApp(app)
  for (let n = 0; n < 3; n++) {
    const { id } = await newReseller(app, owner)
    const username = `${owner.username}_both${n}`
    const asOwner = { ...form(username), username, displayName: 'x' }
    const names = await together(
      () => app.visitor().call('POST /register', { body: asOwner }),
      () => owner.visitor.call('POST /resellers/create', { body: { username } }),
    )
    expect(names.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const body = { email: `${username}.shared@example.com` }
    const addresses = await together(
      () => app.visitor().call('POST /register', { body: { ...asOwner, ...body, username: `${username}x` } }),
      () => owner.visitor.call('PUT /resellers/{id}', { params: { id }, body }),
    )
    expect(addresses.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

test('a reseller sees only their own licenses and users, in assigned apps (R-TEN-06)', async () => {
  const one = await newSellingReseller(app)
  const other = await newSellingReseller(app, {}, one.owner)
  const { appName, owner } = one
  const [ofOwner = ''] = await newLicenses(owner, 1)
  const keyOf = async ({ sell }: typeof one) =>
    ((await sell()).body as unknown as { licenses: string[] }).licenses[0] ?? ''
  const [own, foreign] = [await keyOf(one), await keyOf(other)]
  for (const key of [own, foreign, ofOwner]) {
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
  }
  const [unused] = [await keyOf(one)]
  const query = { appName }
  const { body } = await one.visitor.call('GET /reseller/licenses', { query })
  expect(body.licenses.map(({ license }) => license)).toEqual([unused, own])
  const users = (await one.visitor.call('GET /reseller/users', { query })).body.users
  expect(users.map(({ username }) => username)).toEqual([own])
  const reset = (u: string) => one.visitor.call('POST /reseller/users/{u}/reset-hwid', { params: { u }, body: query })
  expect([(await reset(own)).status, (await reset(foreign)).status, (await reset(ofOwner)).status]).toEqual([
    200, 404, 404,
  ])
  const remove = (id: string) => one.visitor.call('DELETE /reseller/licenses/{id}', { params: { id }, query })
  expect([(await remove(foreign)).status, (await remove(ofOwner)).status]).toEqual([404, 404])
  await owner.visitor.call('POST /create_app', { body: { appName: 'Not assigned' } })
  expect((await one.visitor.call('GET /reseller/users', { query: { appName: 'Not assigned' } })).status).toBe(404)
  await owner.visitor.call('DELETE /resellers/{id}/apps/{app}', { params: { id: one.id, app: appName }, body: {} })
  expect((await one.visitor.call('GET /reseller/licenses', { query })).status).toBe(404)
})

test('a reseller sells only the plans and levels that the owner allows', async () => {
  const { owner, id, appName, sell } = await newSellingReseller(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Gold', active: true } })
  const configure = (body: object) =>
    owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params: { id, app: appName }, body })
  expect((await sell({ plan: '90' })).body.code).toBe('PLAN_NOT_ALLOWED')
  expect((await sell({ plan: '' })).body.code).toBe('PLAN_REQUIRED')
  expect((await sell({ subscriptionLevel: 2 })).status).toBe(200)
  await configure({ subscriptions: [1] })
  expect((await sell({ subscriptionLevel: 2 })).body.code).toBe('LEVEL_NOT_ALLOWED')
  await configure({ plans: ['14'], costs: { '14': 3 } })
  expect((await sell({ plan: '14' })).body).toMatchObject({ creditInfo: { cost: 3 } })
  expect((await configure({ plans: ['x'] })).status).toBe(400)
  expect((await configure({ allowedSubscriptions: [77] })).body.code).toBe('LEVELS_UNKNOWN')
})

test('a reseller without an allowed plan sells nothing', async () => {
  const { owner, id, appName, sell, credits } = await newSellingReseller(app)
  const params = { id, app: appName }
  await owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params, body: { allowedPlans: [] } })
  for (const plan of ['30', '365']) expect((await sell({ plan })).body.code).toBe('PLAN_NOT_ALLOWED')
  expect(await credits()).toBe(100)
  expect((await owner.visitor.call('GET /licenses')).body.licenses).toEqual([])
})

test('an owner sees who created a license', async () => {
  const { owner, sell, username } = await newSellingReseller(app)
  await sell()
  const { body } = await owner.visitor.call('GET /licenses')
  expect(body.licenses[0]).toMatchObject({ generatedBy: username, generatedByReseller: true })
})
