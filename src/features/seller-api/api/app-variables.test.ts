import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected, hostileBodies, notFlags, notListQueries, notTexts } from '#testing/faults/hostile-input.ts'
import { setPlan } from '#testing/people/people.ts'
import { expectSaleRejected, newShop, type Shop, sold } from '#testing/people/sellers.ts'
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

interface Variable {
  name: string
  data: string
  authenticated: boolean
  updatedAt: number
}
type Saved = {
  variable: Variable
  created: boolean
}
type List = {
  variables: Variable[]
  total: number
  totalPages: number
}

const pathOf = (name: string) => `/variables/${encodeURIComponent(name)}`
const set = (name: string, body: object, headers: Record<string, string> = {}) =>
  shop.seller.send<Saved>('PUT', pathOf(name), { body, headers })
const list = (query: object = {}) => shop.seller.send<List>('GET', '/variables', { query })

test('rejects what is no variable, and changes nothing', async () => {
  const hostile = {
    data: [...notTexts, '', 'x'.repeat(10_001), undefined],
    authenticated: notFlags,
    name: ['other'],
    mustBeNew: [true],
    deleteVariable: [true],
  }
  // The first call of a key stores when it was used.
  await shop.seller.send('GET', '/stats')
  await expectSaleRejected(app, shop.seller, 'PUT /variables/x', hostileBodies({ data: 'x' }, hostile))
  for (const name of [' ', 'x'.repeat(101), '__proto__', 'two\nlines', 'NUL\0'])
    expectRejected(await set(name, { data: 'x' }), name)
  for (const query of notListQueries) expectRejected(await list(query), query)
  expect((await list()).body.total).toBe(0)
})

test("another shop's variable looks like a missing one, and stays", async () => {
  await sold(shop.other, 'PUT', '/variables/theirs', { data: 'secret' })
  await shop.seller.send('GET', '/stats')
  const before = await databaseDigest(app.db)
  for (const method of ['GET', 'DELETE']) {
    const answer = await shop.seller.send(method, '/variables/theirs')
    expect([answer.status, answer.body.code]).toEqual([404, 'VARIABLE_NOT_FOUND'])
  }
  expect(await databaseDigest(app.db)).toBe(before)
  expect((await set('theirs', { data: 'ours' })).body.created).toBe(true)
  expect(await sold(shop.other, 'GET', '/variables/theirs')).toMatchObject({ variable: { data: 'secret' } })
})

test("the plan's limit of variables holds, and a plan without variables has none", async () => {
  await setPlan(app, shop.owner.id, 'Free')
  for (const name of ['one', 'two', 'three']) expect((await set(name, { data: 'x' })).status).toBe(200)
  const beyond = await set('four', { data: 'x' })
  expect([beyond.status, beyond.body.code]).toEqual([403, 'APP_VARIABLE_LIMIT_REACHED'])
  expect((await set('three', { data: 'y' })).status).toBe(200)
  await app.db.write((tx) =>
    tx.db.updateTable('plans').set({ features: '["file_upload"]' }).where('name', '=', 'Free').execute(),
  )
  await sold(shop.seller, 'DELETE', '/variables/one')
  const without = await set('four', { data: 'x' })
  expect([without.status, without.body.code]).toEqual([403, 'PLAN_FEATURE_MISSING'])
})

test('a variable is set, read, changed, and deleted, and programs get it', async () => {
  expect((await set(' latest ', { data: '1.0', authenticated: false })).body).toMatchObject({
    code: 'VARIABLE_CREATE_OK',
    message: 'Variable created successfully',
    created: true,
    variable: { name: 'latest', data: '1.0', authenticated: false, updatedAt: app.now() },
  })
  app.advance(5)
  expect((await set('latest', { data: '1.1' })).body).toMatchObject({
    code: 'VARIABLE_UPDATE_OK',
    created: false,
    variable: { name: 'latest', data: '1.1', authenticated: false, updatedAt: app.now() },
  })
  expect((await set('other', { data: 'x' })).body.variable.authenticated).toBe(true)
  expect(await sold(shop.seller, 'GET', '/variables/latest')).toMatchObject({ variable: { data: '1.1' } })
  const dashboard = await shop.owner.visitor.call('POST /getAllAppVar', { body: {} })
  expect(dashboard.body.vars).toMatchObject([
    { variableName: 'latest', variableData: '1.1', authenticated: false },
    { variableName: 'other', authenticated: true },
  ])
  expect((await shop.seller.send('DELETE', '/variables/latest')).body).toMatchObject({
    code: 'VARIABLE_DELETE_OK',
    message: 'Variable deleted successfully',
  })
  expect((await shop.seller.send('GET', '/variables/latest')).status).toBe(404)
})

test('a write that is repeated with its Idempotency-Key is made once and returns the first reply', async () => {
  const once = { 'idempotency-key': 'release-7' }
  const first = await set('latest', { data: '7' }, once)
  await set('latest', { data: '8' })
  expect((await set('latest', { data: '7' }, once)).body).toEqual(first.body)
  expect(await sold(shop.seller, 'GET', '/variables/latest')).toMatchObject({ variable: { data: '8' } })
  expect((await set('latest', { data: '9' }, once)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
})

test('the list pages through every variable once, sorted by name', async () => {
  for (const name of ['d', 'b', 'e', 'a', 'c']) await set(name, { data: `data of ${name}` })
  const pages = [1, 2, 3, 4].map((page) => list({ limit: 2, page }))
  const bodies = (await Promise.all(pages)).map(({ body }) => body)
  expect(bodies.flatMap(({ variables }) => variables.map(({ name }) => name))).toEqual(['a', 'b', 'c', 'd', 'e'])
  for (const body of bodies) expect(body).toMatchObject({ total: 5, totalPages: 3 })
  expect((await list({ search: 'OF D' })).body.variables.map(({ name }) => name)).toEqual(['d'])
})
