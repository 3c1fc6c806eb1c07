import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { noColumns } from '#testing/people/saved-views.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let reseller: SellingReseller

beforeAll(async () => {
  app = await startTestApp()
  reseller = await newSellingReseller(app)
})
afterAll(() => app.close())

const table = 'reseller-licenses' as const

test('a reseller arranges tables, for nobody else', async () => {
  const columns = { ...noColumns, hidden: ['notes'] }
  const { visitor } = reseller
  expect((await visitor.call('POST /reseller/preferences/density', { body: { density: 'compact' } })).status).toBe(200)
  await visitor.call('POST /reseller/preferences/columns', { body: { table, columns } })
  expect((await visitor.call('GET /reseller/preferences')).body).toMatchObject({
    density: 'compact',
    columns: [{ table, columns }],
  })
  const other = await newSellingReseller(app)
  expect((await other.visitor.call('GET /reseller/preferences')).body).toMatchObject({ density: null, columns: [] })
  expect((await reseller.owner.visitor.call('GET /preferences')).body).toMatchObject({ density: null, columns: [] })
})

test('a reseller saves, renames, and deletes views, and a view of another reseller looks like a missing one', async () => {
  const { visitor } = reseller
  const body = { table, name: 'Unused', query: 'f.status=unused', columns: noColumns }
  const { viewId } = (await visitor.call('POST /reseller/views', { body })).body.view
  const rename = { params: { viewId }, body: { name: 'Mine' } }
  const other = (await newSellingReseller(app)).visitor
  expect((await other.call('PUT /reseller/views/{viewId}', rename)).status).toBe(404)
  expect((await other.call('DELETE /reseller/views/{viewId}', { params: { viewId } })).status).toBe(404)
  expect((await visitor.call('PUT /reseller/views/{viewId}', rename)).status).toBe(200)
  const list = async () => (await visitor.call('GET /reseller/views', { query: { table } })).body.views
  expect(await list()).toMatchObject([{ viewId, name: 'Mine', query: 'f.status=unused' }])
  expect((await visitor.call('DELETE /reseller/views/{viewId}', { params: { viewId } })).status).toBe(200)
  expect(await list()).toEqual([])
})
