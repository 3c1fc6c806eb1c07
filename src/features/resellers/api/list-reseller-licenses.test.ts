import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected, expectRejected, notListQueries, seen } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newReseller, newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const list = (id: string, query = {}, by = owner) =>
  by.visitor.call('GET /resellers/{id}/licenses', { params: { id }, query })

const sold = async (reseller: SellingReseller, amount: number): Promise<string[]> =>
  ((await reseller.sell({ amount })).body as unknown as { licenses: string[] }).licenses

test("lists exactly this reseller's sales, the last one first, in pages", async () => {
  const reseller = await newSellingReseller(app, {}, owner)
  const other = await newSellingReseller(app, {}, owner)
  await newLicenses(owner, 1)
  const [first] = await sold(reseller, 1)
  const [second] = await sold(reseller, 1)
  await sold(other, 2)
  const { body } = await list(reseller.id)
  expect(body.licenses.map(({ license }) => license)).toEqual([second, first])
  expect(body.licenses[0]).toMatchObject({ generatedBy: reseller.username, generatedByReseller: true, used: false })
  expect((await list(reseller.id, { limit: 1, page: 2 })).body).toMatchObject({
    total: 2,
    totalPages: 2,
    licenses: [{ license: first }],
  })
  const listed = await owner.visitor.call('GET /licenses', { query: { search: second } })
  expect(body.licenses[0]).toEqual(listed.body.licenses[0])
})

test("has nothing of the owner's other apps, and nothing before the first sale", async () => {
  const reseller = await newSellingReseller(app, {}, owner)
  const nothing = { licenses: [], total: 0, totalPages: 1 }
  expect((await list(reseller.id)).body).toMatchObject(nothing)
  await sold(reseller, 1)
  const { body: created } = await owner.visitor.call('POST /create_app', {
    body: { appName: 'Second shop', version: '1.0' },
  })
  expect((await list(reseller.id, { appId: created.app.appId })).body).toMatchObject(nothing)
  expect((await list(reseller.id, { appId: owner.appId })).body.total).toBe(1)
})

test("bad pages are rejected; another owner's reseller looks like a missing one (R-TEN-02)", async () => {
  const reseller = await newReseller(app, owner)
  const path = `/resellers/${reseller.id}/licenses`
  await expectQueriesRejected(owner.visitor, path, [...notListQueries, { search: 'x' }])
  const whole = `/api/1.0/website${path}`
  expectRejected(await app.visitor().send('GET', whole), whole, 401)
  const stranger = await newOwnerWithApp(app)
  const foreign = await list(reseller.id, {}, stranger)
  expectRejected(foreign, path, 404)
  expect(seen(foreign)).toBe(seen(await list('no-such-reseller', {}, stranger)))
})
