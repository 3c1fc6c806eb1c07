import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, notQueryIntegers } from '#testing/faults/hostile-input.ts'
import { newShop, type Shop, sold, soldUser } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop
const names: string[] = []

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
  for (let at = 0; at < 7; at++) names.push(await soldUser(shop.seller, at < 2 ? { days: 5 } : {}))
  await sold(shop.seller, 'POST', `/users/${names[6]}/ban`, {})
  await app.db.searchSettled()
})
afterAll(() => app.close())

interface List {
  users: { username: string }[]
  total: number
  totalPages: number
  counts: Record<string, number>
}

const list = (query: object = {}) => shop.seller.send<List>('GET', '/users', { query })
const namesOf = ({ body }: { body: List }) => body.users.map(({ username }) => username)

test('the list pages through every user once, newest first, with totals', async () => {
  const first = await list({ limit: 3 })
  expect(first.body).toMatchObject({
    total: 7,
    totalPages: 3,
    counts: { total: 7, banned: 1, paused: 0, active: 2, expired: 4 },
  })
  const pages = [first, await list({ limit: 3, page: 2 }), await list({ limit: 3, page: 3 })]
  expect(pages.flatMap(namesOf)).toEqual(names.toReversed())
})

test('search and filters narrow it', async () => {
  expect(namesOf(await list({ search: names[3] }))).toEqual([names[3]])
  expect(namesOf(await list({ status: 'banned' }))).toEqual([names[6]])
  expect(namesOf(await list({ status: 'active' }))).toEqual([names[1], names[0]])
  expect((await list({ level: 1 })).body.total).toBe(2)
  expect((await list({ search: "' or 1=1 --" })).body.total).toBe(0)
})

test('one user has the same fields as in the list, without anything secret', async () => {
  const { users } = (await list({ search: names[0] })).body
  const { body } = await shop.seller.send<{ user: object }>('GET', `/users/${names[0]}`)
  expect(body.user).toEqual(users[0])
  expect(body.user).toMatchObject({
    hasActiveSubscription: true,
    subscriptions: { 1: { level: 1, name: 'Basic', active: true } },
  })
  expect(JSON.stringify(body)).not.toMatch(/argon2|password/i)
})

test('rejects queries that make no sense', async () => {
  const queries = [
    ...notQueryIntegers.flatMap((page) => [{ page }, { limit: page }, { level: page }]),
    { limit: 101 },
    { status: 'gone' },
    { search: 'x'.repeat(201) },
    { appId: shop.owner.appId },
    { noSuchField: 1 },
  ]
  for (const query of queries) expectRejected(await shop.seller.send('GET', '/users', { query }), query)
})

test('another shop sees none of them', async () => {
  expect((await shop.other.send<List>('GET', '/users')).body.total).toBe(0)
})
