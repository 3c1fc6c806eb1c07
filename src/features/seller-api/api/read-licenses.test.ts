import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, notQueryIntegers } from '#testing/faults/hostile-input.ts'
import { newShop, type Shop, sold, soldLicense } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop
const keys: string[] = []

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
  for (let at = 0; at < 12; at++) keys.push(await soldLicense(shop.seller, { notes: `order ${at}.` }))
  for (const license of keys.slice(0, 2)) await sold(shop.seller, 'POST', `/licenses/${license}/ban`, {})
  await app.db.searchSettled()
})
afterAll(() => app.close())

interface List {
  licenses: { license: string }[]
  total: number
  totalPages: number
  counts: Record<string, number>
}

const list = (query: object = {}) => shop.seller.send<List>('GET', '/licenses', { query })
const keysOf = ({ body }: { body: List }) => body.licenses.map(({ license }) => license)

test('the list pages through every license once, newest first, with totals', async () => {
  const first = await list({ limit: 5 })
  expect(first.body).toMatchObject({ total: 12, totalPages: 3, counts: { total: 12, unused: 10, used: 0, banned: 2 } })
  const pages = [first, await list({ limit: 5, page: 2 }), await list({ limit: 5, page: 3 })]
  const whole = keysOf(await list({ limit: 100 }))
  expect(pages.flatMap(keysOf)).toEqual(whole)
  expect(whole).toEqual(keys.toReversed())
})

test('search and filters narrow it', async () => {
  expect(keysOf(await list({ search: 'order 3' }))).toEqual([keys[3]])
  expect(new Set(keysOf(await list({ status: 'banned' })))).toEqual(new Set([keys[0], keys[1]]))
  expect((await list({ level: 2 })).body.total).toBe(0)
  expect((await list({ search: "'; drop table licenses; --" })).body.total).toBe(0)
})

test('one license has the same fields as in the list', async () => {
  const { licenses } = (await list({ search: keys[5] })).body
  expect((await shop.seller.send('GET', `/licenses/${keys[5]}`)).body['license']).toEqual(licenses[0])
})

test('a key with every visible character is found by its path', async () => {
  const license = await soldLicense(shop.seller, { mask: 'a/b?c=%2F&d#e+f;########' })
  const { status, body } = await shop.seller.send<{ license: { license: string } }>(
    'GET',
    `/licenses/${encodeURIComponent(license)}`,
  )
  expect({ status, license: body.license.license }).toEqual({ status: 200, license })
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
  for (const query of queries) expectRejected(await shop.seller.send('GET', '/licenses', { query }), query)
})

test('another shop sees none of them', async () => {
  expect((await shop.other.send<List>('GET', '/licenses')).body.total).toBe(0)
})
