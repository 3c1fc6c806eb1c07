import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newShop, type Shop, sold, soldUser } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
})
afterAll(() => app.close())

type List = {
  users: { username: string; variables: Record<string, string> }[]
  total: number
  totalPages: number
  counts: { total: number }
}

const find = (query: object, seller = shop.seller) => seller.send<List>('GET', '/users', { query })
const named = async (variable: string, value: string) =>
  (await find({ variable, value })).body.users.map(({ username }) => username)
const userWith = async (variables: Record<string, string>) => {
  const username = await soldUser(shop.seller)
  for (const [name, data] of Object.entries(variables)) {
    await sold(shop.seller, 'PUT', `/users/${username}/variables/${name}`, { data })
  }
  return username
}

test('rejects one of the two fields alone, empty ones, and other filters beside them', async () => {
  const both = { variable: 'discord', value: '1' }
  for (const [query, field] of [
    [{ variable: 'discord' }, 'value'],
    [{ value: '1' }, 'variable'],
    [{ ...both, search: 'x' }, 'search'],
    [{ ...both, status: 'active' }, 'status'],
    [{ ...both, level: 1 }, 'level'],
    [{ variable: '', value: '1' }, 'variable'],
    [{ variable: 'x'.repeat(501), value: '1' }, 'variable'],
  ] as const) {
    const answer = await find(query)
    expectRejected(answer, query)
    expect(answer.body).toMatchObject({ field })
  }
})

test('finds the users whose variable has exactly this value, only in this app', async () => {
  const [ana, ben] = [await userWith({ discord: '81', tier: 'gold' }), await userWith({ discord: '811' })]
  await userWith({ other: '81' })
  expect(await named('discord', '81')).toEqual([ana])
  expect(await named('discord', '811')).toEqual([ben])
  for (const value of ['8', '%', '8_', ' 81', '81 ', `' or 1=1 --`]) expect(await named('discord', value)).toEqual([])
  expect(await named('Discord', '81')).toEqual([])
  expect((await find({ variable: 'discord', value: '81' }, shop.other)).body.total).toBe(0)
  const { users, counts } = (await find({ variable: 'discord', value: '81' })).body
  expect(users).toEqual([(await sold<{ user: object }>(shop.seller, 'GET', `/users/${ana}`)).user])
  expect(counts.total).toBe(3)
})

test('compares values to their end, whatever their length and script', async () => {
  const start = '🦊é'.repeat(40)
  const [first, second] = [await userWith({ note: `${start}1` }), await userWith({ note: `${start}2` })]
  expect(await named('note', `${start}1`)).toEqual([first])
  expect(await named('note', `${start}2`)).toEqual([second])
  expect(await named('note', start)).toEqual([])
})

test('pages through many users of one value, newest first', async () => {
  const names: string[] = []
  for (let at = 0; at < 5; at++) names.push(await userWith({ plan: 'team' }))
  const query = { variable: 'plan', value: 'team', limit: 2 }
  const pages = [await find(query), await find({ ...query, page: 2 }), await find({ ...query, page: 3 })]
  expect(pages.flatMap(({ body }) => body.users.map(({ username }) => username))).toEqual(names.toReversed())
  for (const { body } of pages) expect(body).toMatchObject({ total: 5, totalPages: 3 })
})
