import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectQueriesRejected, notListQueries, strangeTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let newest: Seller

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  await newSeller(app, stranger, { keyName: 'Foreign' })
  for (let at = 1; at <= 22; at++) await newSeller(app, owner, { keyName: `Bot ${at}` })
  app.advance(5)
  newest = await newSeller(app, owner, {
    keyName: 'Über 100% shop',
    permissions: ['stats:read'],
    whitelistedIPs: ['127.0.0.0/8'],
  })
})
afterAll(() => app.close())

const list = async (query: object = {}) => (await owner.visitor.call('GET /seller_keys', { query })).body
const names = (body: Awaited<ReturnType<typeof list>>) => body.sellerKeys.map(({ keyName }) => keyName)

describe('the list', () => {
  test('returns the list under both names, newest first, with totals', async () => {
    const body = await list()
    expect(body).toMatchObject({ total: 23, totalPages: 3 })
    expect(body.sellerKeys).toHaveLength(10)
    expect(body.keys).toEqual(body.sellerKeys)
    expect(names(body)[0]).toBe('Über 100% shop')
  })

  test("shows a key's public form, and when and from where it was last used", async () => {
    expect((await newest.send('GET', '/stats')).status).toBe(200)
    const id = newest.key.slice(8, 16)
    const [row] = (await list({ search: id })).sellerKeys
    expect(row).toEqual({
      keyName: 'Über 100% shop',
      sellerKey: `lk_live_${id}…${newest.key.slice(-4)}`,
      key: `lk_live_${id}…${newest.key.slice(-4)}`,
      whitelistedIPs: ['127.0.0.0/8'],
      status: 'active',
      createdDate: expect.any(Number),
      lastUsed: app.now(),
      lastUsedIp: '127.0.0.1',
      permissions: ['stats:read'],
      fullAccess: false,
      exposedAt: null,
      rotatedUntil: null,
    })
  })

  test.each([1, 7, 10, 22, 23, 100])('pages of %i hold every key once, in one order', async (limit) => {
    const whole = await list({ limit: 100 })
    const pages: string[] = []
    for (let page = 1; page <= Math.ceil(23 / limit); page++) {
      const body = await list({ limit, page })
      expect(body.totalPages).toBe(Math.ceil(23 / limit))
      pages.push(...body.sellerKeys.map(({ sellerKey }) => sellerKey))
    }
    expect(pages).toEqual(whole.sellerKeys.map(({ sellerKey }) => sellerKey))
    expect((await list({ limit, page: 1000 })).sellerKeys).toEqual([])
  })
})

describe('search', () => {
  test.each([
    ['bot 2', ['Bot 2', 'Bot 20', 'Bot 21', 'Bot 22']],
    ['  BOT 13 ', ['Bot 13']],
    ['100%', ['Über 100% shop']],
    ['Über', ['Über 100% shop']],
    ['_', Array(23).fill(expect.any(String))],
    ['Foreign', []],
  ])('%j finds %j', async (search, found) => {
    const body = await list({ search, limit: 100 })
    expect(names(body).toSorted()).toEqual(found.toSorted())
    expect(body.total).toBe(found.length)
  })

  test('finds a key by the form in which lists show it', async () => {
    const shown = (await list()).sellerKeys[3]?.sellerKey as string
    expect((await list({ search: shown })).sellerKeys.map(({ sellerKey }) => sellerKey)).toEqual([shown])
  })

  test.each(strangeTexts)('%j matches only itself', async (search) => {
    expect((await list({ search })).total).toBe(0)
  })
})

test('rejects invalid queries', async () => {
  await expectQueriesRejected(owner.visitor, '/seller_keys', notListQueries)
})
