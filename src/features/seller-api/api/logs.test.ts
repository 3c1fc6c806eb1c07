import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { expectRejected, notQueryIntegers } from '#testing/faults/hostile-input.ts'
import { newShop, type Shop } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  // An address may register few accounts in an hour.
  app.advance(3600)
  shop = await newShop(app)
})

type List = {
  logs: { id: number; username: string; call: string; code: string; timestamp: number }[]
  total: number
  totalPages: number
}
interface Tail extends List {
  next: string
}

/** An entry whose event was `ago` seconds ago. */
const happened = (username: string, { ago = 0, ...more }: { ago?: number; call?: string; code?: string } = {}) =>
  activityLog(app.services).record({
    appId: shop.owner.appId,
    at: app.now() - ago,
    call: 'login',
    ip: '203.0.113.7',
    username,
    ...more,
  })
const list = (query: object = {}, seller = shop.seller) => seller.send<List>('GET', '/logs', { query })
const tail = async (query: object = {}) => (await shop.seller.send<Tail>('GET', '/logs/tail', { query })).body
const namesOf = ({ logs }: Pick<List, 'logs'>) => logs.map(({ username }) => username)

test('rejects queries that make no sense', async () => {
  const common = [
    ...notQueryIntegers.map((limit) => ({ limit })),
    { limit: 101 },
    { from: 'yesterday' },
    { until: -1 },
    { rejected: 'maybe' },
    { code: 'x'.repeat(101) },
    { credential: 'x'.repeat(201) },
    { appId: shop.owner.appId },
    { noSuchField: 1 },
  ]
  for (const query of [...common, { page: 0 }, { after: '1-1' }]) expectRejected(await list(query), query)
  const cursors = ['1', '-', '1-', '-1', 'a-b', '1-1-1', '1.5-1', `${'9'.repeat(13)}-1`, `1-${'9'.repeat(16)}`]
  for (const query of [...common, { page: 1 }, ...cursors.map((after) => ({ after }))]) {
    expectRejected(await shop.seller.send('GET', '/logs/tail', { query }), query)
  }
})

test('another shop sees none of the entries', async () => {
  happened('ana', { ago: 60 })
  expect((await list()).body.total).toBe(1)
  expect((await list({}, shop.other)).body).toMatchObject({ logs: [], total: 0 })
  const { body } = await shop.other.send<Tail>('GET', '/logs/tail', { query: { after: '0-0' } })
  expect(body.logs).toEqual([])
})

test('the list pages through every entry once, newest first, as in the dashboard', async () => {
  for (const [ago, name] of ['e', 'd', 'c', 'b', 'a'].entries()) happened(name, { ago: 60 - ago * 10 })
  const pages = [await list({ limit: 2 }), await list({ limit: 2, page: 2 }), await list({ limit: 2, page: 3 })]
  expect(pages.flatMap(({ body }) => namesOf(body))).toEqual(['a', 'b', 'c', 'd', 'e'])
  for (const { body } of pages) expect(body).toMatchObject({ total: 5, totalPages: 3 })
  const dashboard = await shop.owner.visitor.call('GET /logs')
  expect((await list()).body.logs).toEqual(dashboard.body.logs)
})

test('call, code, rejected, user, and times narrow it', async () => {
  happened('ana', { ago: 300 })
  happened('ana', { ago: 200, code: 'USER_BANNED' })
  happened('ben', { ago: 100, call: 'license', code: 'LICENSE_BANNED' })
  const now = app.now()
  const found = async (query: object) => (await list(query)).body.logs.map(({ timestamp }) => now - timestamp)
  expect(await found({ credential: 'ana' })).toEqual([200, 300])
  expect(await found({ credential: 'an' })).toEqual([])
  expect(await found({ call: 'license' })).toEqual([100])
  expect(await found({ code: 'USER_BANNED' })).toEqual([200])
  expect(await found({ rejected: true })).toEqual([100, 200])
  expect(await found({ rejected: false, credential: 'ana' })).toEqual([300])
  expect(await found({ from: now - 200 })).toEqual([100, 200])
  expect(await found({ from: now - 200, until: now - 200 })).toEqual([200])
  expect(await found({ from: now, until: now - 500 })).toEqual([])
})

test('a tail returns every entry once, oldest first, whatever its limit', async () => {
  for (let n = 1; n <= 7; n++) happened(`old ${n}`, { ago: 60 })
  const start = await tail({ limit: 2 })
  expect(namesOf(start)).toEqual(['old 6', 'old 7'])
  expect(await tail({ after: start.next })).toMatchObject({ logs: [], next: start.next })
  const seen: string[] = []
  let { next } = start
  for (let second = 1; second <= 20; second++) {
    if (second <= 9) for (const name of ['x', 'y']) happened(`${name}${second}`)
    app.advance(1)
    const page = await tail({ after: next, limit: 3 })
    seen.push(...namesOf(page))
    ;({ next } = page)
  }
  expect(seen).toEqual(Array.from({ length: 9 }, (_, n) => [`x${n + 1}`, `y${n + 1}`]).flat())
  const all = await tail({ after: '0-0' })
  expect(all.logs).toHaveLength(25)
})

test('a tail includes an entry that is stored some seconds after a later one', async () => {
  const { next } = await tail()
  happened('late but first', { ago: 0 })
  app.advance(3)
  happened('on time')
  app.advance(1)
  expect(namesOf(await tail({ after: next }))).toEqual([])
  // Another process stores it only now.
  happened('stored last', { ago: 4 })
  app.advance(20)
  expect(namesOf(await tail({ after: next }))).toEqual(['late but first', 'stored last', 'on time'])
})

test('a tail with a filter goes on where it has read, and never moves back when the clock does', async () => {
  happened('ana', { ago: 60, code: 'USER_BANNED' })
  for (let n = 0; n < 5; n++) happened('ben', { ago: 50 })
  const first = await tail({ after: '0-0', rejected: true, limit: 2 })
  expect(namesOf(first)).toEqual(['ana'])
  expect(first.next).toBe(`${app.now() - 5}-999999999999999`)
  app.advance(-100)
  expect(await tail({ after: first.next })).toMatchObject({ logs: [], next: first.next })
  app.advance(100)
})
