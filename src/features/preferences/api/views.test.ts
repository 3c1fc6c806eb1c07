import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxViewNameLength, maxViewQueryLength, maxViews } from '#contract/saved-view.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import {
  expectAllRejected,
  expectQueriesRejected,
  expectRejected,
  hostileBodies,
  invisibleNames,
  notTexts,
  strangeNames,
} from '#testing/faults/hostile-input.ts'
import { newOwner, newOwnerWithApp, type Owner } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { noColumns } from '#testing/people/saved-views.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => void (owner = await newOwner(app)))

const columns = { shown: ['notes'], hidden: [], order: [] }
const form = { table: 'licenses' as const, name: 'Banned', query: 'f.status=banned', columns }
const create = (change: Partial<typeof form> = {}, { visitor } = owner) =>
  visitor.call('POST /views', { body: { ...form, ...change } })
const update = (viewId: string, body: object, { visitor } = owner) =>
  visitor.call('PUT /views/{viewId}', { params: { viewId }, body })
const remove = (viewId: string, { visitor } = owner) => visitor.call('DELETE /views/{viewId}', { params: { viewId } })
const list = async (table: 'licenses' | 'users' = 'licenses', { visitor } = owner) =>
  (await visitor.call('GET /views', { query: { table } })).body.views

const notQueries = [
  'page=2',
  'dialog=create',
  'row=5',
  'panel=license',
  'app=app_x',
  'count=all',
  'f.=x',
  'f.a b=x',
  'f.__proto__=x',
  'f.status',
  'f.status=',
  'q=',
  'q=a&q=b',
  'f.status=a&f.status=b',
  'sort=',
  'sort=--x',
  'sort=a,b c',
  'limit=7',
  'limit=1000',
  'https://evil.example/?q=x',
  `q=${'x'.repeat(201)}`,
  `f.a=${'x'.repeat(501)}`,
  Array.from({ length: 10 }, (_, at) => `f.f${at}=${'x'.repeat(300)}`).join('&'),
]

test('rejects hostile input and changes nothing', async () => {
  const { body } = await create({ name: 'Mine' })
  const hostile = {
    table: [...notTexts, '', 'no-such-table'],
    name: [...notTexts, '', '  ', 'x'.repeat(maxViewNameLength + 1), 'two\nlines', ...invisibleNames],
    query: [...notTexts, ...notQueries],
    columns: [...notTexts, { shown: [] }, { ...noColumns, order: ['a b'] }],
  }
  await expectAllRejected(app, owner.visitor, '/views', hostileBodies(form, hostile))
  const before = await databaseDigest(app.db)
  for (const change of [
    ...hostile.name.map((name) => ({ name })),
    ...hostile.query.map((query) => ({ query })),
    ...hostile.columns.map((other) => ({ columns: other })),
    { table: 'users' },
  ])
    expectRejected(await update(body.view.viewId, change), change)
  expect(await databaseDigest(app.db)).toBe(before)
  await expectQueriesRejected(owner.visitor, '/views', [{}, { table: '' }, { table: 'x' }, { table: 'users', x: '1' }])
})

test.each([
  [{ name: ' ' }, 'VIEW_NAME_REQUIRED', 'View name is required'],
  [{ name: 'x'.repeat(61) }, 'VIEW_NAME_TOO_LONG', 'The view name can have at most 60 characters'],
  [{ name: 'a\u200Bb' }, 'VIEW_NAME_CHARACTERS', 'The view name can only contain visible characters'],
  [{ query: 'page=3' }, 'VIEW_QUERY_INVALID', 'The filter of a view can only contain q, f.*, sort and limit'],
])('names what is wrong: %j is %s', async (change, code, message) => {
  expect((await create(change)).body).toMatchObject({ code, message, field: Object.keys(change)[0] })
})

test('saves a view and lists those of the table by name; the query comes in one order', async () => {
  const { body } = await create({ name: ' Banned ', query: 'sort=-created&q=a+%26+b&limit=50&f.status=used,banned' })
  expect(body).toMatchObject({ code: 'VIEW_CREATE_OK', message: 'View saved successfully' })
  const query = 'f.status=used%2Cbanned&limit=50&q=a+%26+b&sort=-created'
  expect(body.view).toEqual({ viewId: body.view.viewId, name: 'Banned', query, columns, created: app.now() })
  await create({ name: 'all', query: '' })
  await create({ name: 'Zebra' })
  expect(await list()).toMatchObject([{ name: 'all', query: '' }, body.view, { name: 'Zebra' }])
  expect(await list('users')).toEqual([])
})

test.each(strangeNames)('%j can be a name', async (name) => {
  expect((await create({ name })).status).toBe(200)
  expect(await list()).toMatchObject([{ name }])
})

test('a query that is as long as allowed is stored whole', async () => {
  const query = Array.from({ length: 4 }, (_, at) => `f.f${at}=${'x'.repeat(490)}`).join('&')
  expect(query.length).toBeLessThanOrEqual(maxViewQueryLength)
  expect((await create({ query })).body.view.query).toBe(query)
})

test('a name is taken whatever its case, but only on its table and for its person', async () => {
  const { body } = await create()
  const before = await databaseDigest(app.db)
  const taken = await create({ name: 'BANNED', query: '' })
  expectRejected(taken, 'BANNED', 409)
  expect(taken.body).toMatchObject({ code: 'VIEW_NAME_TAKEN', field: 'name' })
  expect(await databaseDigest(app.db)).toBe(before)
  expect((await create({}, await newOwner(app))).status).toBe(200)
  expect((await owner.visitor.call('POST /views', { body: { ...form, table: 'users' } })).status).toBe(200)
  const { body: other } = await create({ name: 'Other' })
  expect((await update(other.view.viewId, { name: 'banned' })).body).toMatchObject({ code: 'VIEW_NAME_TAKEN' })
  // Its own name is no conflict.
  expect((await update(body.view.viewId, { name: 'banned' })).body).toMatchObject({ view: { name: 'banned' } })
})

test('updates only what is given', async () => {
  const { viewId } = (await create()).body.view
  expect((await update(viewId, { name: ' Gone ' })).body).toMatchObject({
    code: 'VIEW_UPDATE_OK',
    view: { viewId, name: 'Gone', query: form.query, columns },
  })
  await update(viewId, { query: 'q=x', columns: noColumns })
  expect(await list()).toMatchObject([{ viewId, name: 'Gone', query: 'q=x', columns: noColumns }])
})

test('a deleted view is gone, and its name is free', async () => {
  const { viewId } = (await create()).body.view
  expect((await remove(viewId)).body).toMatchObject({ code: 'VIEW_DELETE_OK' })
  expectRejected(await remove(viewId), viewId, 404)
  expect((await update(viewId, { name: 'x' })).body.code).toBe('VIEW_NOT_FOUND')
  expect((await create()).status).toBe(200)
  expect(await list()).toHaveLength(1)
})

test("somebody else's view looks like a missing one, also between owner and reseller", async () => {
  const seller = await newOwnerWithApp(app)
  const { visitor } = await newSellingReseller(app, {}, seller)
  const { viewId } = (await create()).body.view
  const ofReseller = (await visitor.call('POST /reseller/views', { body: form })).body.view.viewId
  const before = await databaseDigest(app.db)
  const visible = ({ status, body }: { status: number; body: { code?: string; message?: string } }) => {
    return { status, code: body.code, message: body.message }
  }
  const missing = visible(await update('view_missing', { name: 'x' }, seller))
  expect(missing).toMatchObject({ status: 404, code: 'VIEW_NOT_FOUND' })
  for (const id of [viewId, ofReseller]) {
    expect(visible(await update(id, { name: 'x' }, seller))).toEqual(missing)
    expect(visible(await remove(id, seller))).toEqual(missing)
  }
  const params = { viewId }
  const foreign = await visitor.call('PUT /reseller/views/{viewId}', { params, body: { name: 'x' } })
  expect(visible(foreign)).toEqual(missing)
  expect(visible(await visitor.call('DELETE /reseller/views/{viewId}', { params }))).toEqual(missing)
  expect(await list('licenses', seller)).toEqual([])
  expect(await databaseDigest(app.db)).toBe(before)
})

test(`a table has at most ${maxViews} views, also when they are saved at once; renaming still works`, async () => {
  const saves = Array.from({ length: maxViews + 5 }, (_, at) => create({ name: `View ${at}` }))
  const answers = await Promise.all(saves)
  const rejected = answers.filter(({ status }) => status !== 200)
  expect(rejected.map(({ body }) => body.code)).toEqual(Array(5).fill('VIEW_LIMIT_REACHED'))
  expect(rejected[0]?.body).toMatchObject({ message: `A table can have at most ${maxViews} views` })
  const all = await list()
  expect(all).toHaveLength(maxViews)
  expect((await update(all[0]?.viewId ?? '', { name: 'First' })).status).toBe(200)
  expect((await owner.visitor.call('POST /views', { body: { ...form, table: 'users' } })).status).toBe(200)
})

test('of many simultaneous saves under one name, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => create()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  expect(await list()).toHaveLength(1)
})

test('a repeated call with the same key saves once', async () => {
  const save = () => owner.visitor.call('POST /views', { body: form, headers: { 'idempotency-key': 'view-key-1' } })
  const [first, second] = [await save(), await save()]
  expect(second.body).toEqual(first.body)
  expect(await list()).toHaveLength(1)
})
