import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test("a user who redeemed the reseller's license is listed, and the machine can be unbound", async () => {
  const { visitor, appName, owner, sell } = await newSellingReseller(app)
  const { licenses } = (await sell()).body as unknown as { licenses: string[] }
  const [key = ''] = licenses
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  const users = async () => (await visitor.call('GET /reseller/users', { query: { appName } })).body.users
  const whole = await visitor.call('GET /reseller/users', { query: { appName } })
  expect(whole.body).toMatchObject({ limit: 1000, totalPages: 1 })
  expect(await users()).toMatchObject([{ username: key, status: 'Active', hasActiveSubscription: true }])
  const input = { params: { u: key }, body: { appName } }
  const { body } = await visitor.call('POST /reseller/users/{u}/reset-hwid', input)
  expect(body.message).toBe('HWID reset successfully')
  expect(await users()).toMatchObject([{ hwid: '' }])
})

const redeem = async ({ owner, sell }: SellingReseller, body: object = {}): Promise<string> => {
  const { licenses } = (await sell(body)).body as unknown as { licenses: string[] }
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(licenses[0] ?? '')
  return licenses[0] ?? ''
}

test("pages go from newest to oldest, and a search finds only the reseller's users (R-TEN-06)", async () => {
  const one = await newSellingReseller(app)
  const other = await newSellingReseller(app, {}, one.owner)
  const own: string[] = []
  for (const reseller of [one, other, one, one, other, one, one]) {
    const key = await redeem(reseller)
    if (reseller === one) own.unshift(key)
  }
  const list = async (query: { page?: number; limit?: number; search?: string }) => {
    const { body } = await one.visitor.call('GET /reseller/users', { query: { appName: one.appName, ...query } })
    return [body.total, ...body.users.map(({ username }) => username)]
  }
  for (const search of [undefined, '-'])
    for (const [page, shown] of [own.slice(0, 2), own.slice(2, 4), own.slice(4), []].entries())
      expect(await list({ page: page + 1, limit: 2, ...(search && { search }) })).toEqual([5, ...shown])
  expect(await list({ search: own[3] ?? '' })).toEqual([1, own[3]])
  const foreign = await redeem(other)
  expect(await list({ search: foreign })).toEqual([0])
})

test('a search finds usernames and email addresses, and says nothing about the address a user comes from', async () => {
  const reseller = await newSellingReseller(app)
  const { visitor, appName, owner } = reseller
  const key = await redeem(reseller)
  const change = { ip: '203.0.113.7', email: 'Marta@example.com', username: 'mürta 2.0', username_key: 'mürta 2.0' }
  await app.db.write(({ db }) => db.updateTable('users').set(change).where('app_id', '=', owner.appId).execute())
  const found = async (search: string) =>
    (await visitor.call('GET /reseller/users', { query: { appName, search } })).body.total
  for (const search of ['mürta', 'MüRTA', '2.0', 'MARTA@', 'ta', 'example.com']) expect(await found(search)).toBe(1)
  for (const search of ['203', '203.0.113.7', '.7', 'com\n203', '3.0', key]) expect(await found(search)).toBe(0)
})

const day = 86_400

test("users whose time ends within 7 days are listed, counted and searched; only the reseller's own (R-TEN-06)", async () => {
  const one = await newSellingReseller(app)
  const other = await newSellingReseller(app, {}, one.owner)
  const { visitor, appName, owner } = one
  const week = await redeem(one, { plan: '7' })
  const month = await redeem(one)
  await redeem(other, { plan: '7' })
  const list = async (query: object) =>
    (await visitor.call('GET /reseller/users', { query: { appName, ...query } })).body
  const names = async (query: object) => {
    const { total, users } = await list(query)
    return [total, ...users.map(({ username }) => username)]
  }
  for (const filter of [{ status: 'expiring' }, { status: 'expiring', search: '-' }]) {
    expect(await names(filter)).toEqual([1, week])
    expect(await names({ ...filter, page: 2, limit: 1 })).toEqual([1])
  }
  expect(await names({ status: 'expiring', search: month })).toEqual([0])
  const { users } = await list({ search: month })
  expect(users).toMatchObject([{ accessUntil: app.now() + 30 * day, timeLeft: 30 * day }])
  const rejected = await visitor.send('GET', `/api/1.0/website/reseller/users?appName=${appName}&status=gone`)
  expect(rejected.status).toBe(400)

  await owner.visitor.call('POST /users/bulk', { body: { action: 'ban', usernames: [week] } })
  expect(await names({ status: 'expiring' })).toEqual([0])
})

test('the time of a paused user stands still, and a lifetime subscription has no end', async () => {
  const reseller = await newSellingReseller(app)
  const { visitor, appName, owner } = reseller
  const paused = await redeem(reseller, { plan: '7' })
  const forever = await redeem(reseller)
  await owner.visitor.call('POST /users/bulk', { body: { action: 'pause', usernames: [paused] } })
  await app.db.write(async ({ db }) => {
    const { id } = await db.selectFrom('users').select('id').where('username', '=', forever).executeTakeFirstOrThrow()
    await db.updateTable('user_subscriptions').set({ expires_at: null }).where('user_id', '=', id).execute()
  })
  app.advance(600)
  const { users } = (await visitor.call('GET /reseller/users', { query: { appName } })).body
  expect(users).toMatchObject([
    { username: forever, accessUntil: null, timeLeft: null, hasActiveSubscription: true },
    { username: paused, timeLeft: 7 * day },
  ])
  const { body } = await visitor.call('GET /reseller/users', { query: { appName, status: 'expiring' } })
  expect(body.total).toBe(0)
  app.advance(8 * day)
  const login = { username: reseller.username, password: 'Correct7Horse' }
  expect((await visitor.call('POST /login', { body: login })).status).toBe(200)
  const [, still] = (await visitor.call('GET /reseller/users', { query: { appName } })).body.users
  expect(still).toMatchObject({ timeLeft: 7 * day, accessUntil: app.now() + 7 * day, hasActiveSubscription: true })
})
