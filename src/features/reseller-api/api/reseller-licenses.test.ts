import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { licenseSorts } from '#features/licenses/licenses.rules.ts'
import { Program } from '#testing/people/program.ts'
import { assign, newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('licenses are listed newest first, with their plan, and counted', async () => {
  const { visitor, appName, sell } = await newSellingReseller(app)
  await sell({ amount: 2 })
  await sell({ plan: '7', notes: 'for a friend' })
  const query = { appName }
  const { licenses, total } = (await visitor.call('GET /reseller/licenses', { query })).body
  expect([total, licenses[0]]).toMatchObject([3, { expiry: 7 * 86_400, notes: 'for a friend', used: false, appName }])
  const { stats } = (await visitor.call('GET /reseller/licenses/stats', { query })).body
  expect(stats).toMatchObject({ total: 3, used: 0, unused: 3, usage_rate: 0 })
  expect((await sell({ mask: ' ' })).body.message).toBe('Please enter a license mask')
  expect((await visitor.call('GET /reseller/licenses')).body.code).toBe('NO_APP_SELECTED')
})

test("a redeemed license says when it ends; those ending within 7 days are a filter, of the reseller's own (R-TEN-06)", async () => {
  const reseller = await newSellingReseller(app)
  const { visitor, owner, appName } = reseller
  const colleague = await newSellingReseller(app, {}, owner)
  const redeem = async (key: string) => {
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
  }
  const [week = ''] = keysOf(await reseller.sell({ plan: '7' }))
  const [month = ''] = keysOf(await reseller.sell())
  await reseller.sell({ plan: '7' })
  const [theirs = ''] = keysOf(await colleague.sell({ plan: '7' }))
  for (const key of [week, month, theirs]) await redeem(key)
  const list = async (query: object) =>
    (await visitor.call('GET /reseller/licenses', { query: { appName, ...query } })).body
  const { total, licenses } = await list({ status: 'expiring' })
  expect([total, ...licenses.map(({ license }) => license)]).toEqual([1, week])
  expect(licenses[0]?.expiresAt).toBe(app.now() + 7 * 86_400)
  expect((await list({ search: month })).licenses).toMatchObject([{ expiresAt: app.now() + 30 * 86_400 }])
  expect((await list({})).licenses[0]).toMatchObject({ used: false, expiresAt: null })
  const rejected = await visitor.send('GET', `/api/1.0/website/reseller/licenses?appName=${appName}&status=used`)
  expect(rejected.status).toBe(400)
})

test("redeemed and unredeemed licenses are as many as counted, and each order has the reseller's own once (R-TEN-06)", async () => {
  const reseller = await newSellingReseller(app)
  const { visitor, owner, appName } = reseller
  const colleague = await newSellingReseller(app, {}, owner)
  const keys = [...keysOf(await reseller.sell({ amount: 3 })), ...keysOf(await reseller.sell({ plan: '7' }))]
  await colleague.sell({ amount: 2 })
  const program = await Program.of(app, owner)
  for (const key of keys.slice(0, 2)) {
    await program.init()
    await program.license(key)
  }
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: keys[0] ?? '' } })
  const list = async (query: object) =>
    (await visitor.call('GET /reseller/licenses', { query: { appName, ...query } })).body
  const namesOf = async (query: object) => (await list(query)).licenses.map(({ license }) => license)
  const { stats } = (await visitor.call('GET /reseller/licenses/stats', { query: { appName } })).body
  expect(stats).toMatchObject({ used: 2, unused: 2 })
  expect([await list({ redeemed: true }), await list({ redeemed: false })]).toMatchObject([{ total: 2 }, { total: 2 }])
  expect((await namesOf({ redeemed: true })).toSorted()).toEqual(keys.slice(0, 2).toSorted())
  expect((await namesOf({ redeemed: true, search: keys[2] })).length).toBe(0)
  for (const sort of licenseSorts.flatMap((each) => [each, `-${each}`])) {
    const paged = [...(await namesOf({ sort, limit: 2 })), ...(await namesOf({ sort, limit: 2, page: 2 }))]
    expect(paged.toSorted(), sort).toEqual(keys.toSorted())
    if (sort === 'license') expect(paged).toEqual(keys.toSorted())
  }
  for (const query of ['sort=price', 'redeemed=perhaps'])
    expect((await visitor.send('GET', `/api/1.0/website/reseller/licenses?appName=${appName}&${query}`)).status).toBe(
      400,
    )
})

/** A second app of the owner, also assigned to the reseller. */
async function withOtherApp({ owner, id }: SellingReseller): Promise<{ appId: string; appName: string }> {
  const { appId, appName } = (await owner.visitor.call('POST /create_app', { body: { appName: 'Other app' } })).body
  const body = { level: 1, name: 'Basic' }
  await owner.visitor.call('POST /create_subscription', { body, headers: { 'x-app-id': appId } })
  await assign(owner, { id, appName, credits: 10, planCosts: { '30': 4 } })
  return { appId, appName }
}

const keysOf = ({ body }: { body: unknown }) => (body as { licenses: string[] }).licenses

describe('without an app', () => {
  test("a license is found by its key in any of the reseller's apps, and its credits return there", async () => {
    const reseller = await newSellingReseller(app)
    const { visitor } = reseller
    const other = await withOtherApp(reseller)
    const [inFirst = ''] = keysOf(await reseller.sell())
    const [inOther = ''] = keysOf(await reseller.sell({ appName: other.appName }))
    const remove = (id: string) => visitor.call('DELETE /reseller/licenses/{id}', { params: { id } })

    expect((await remove(inOther)).body).toMatchObject({ success: true, refunded: 4, remainingCredits: 10 })
    expect((await remove(inFirst)).body).toMatchObject({ success: true, refunded: 5, remainingCredits: 100 })
    expect((await remove(inFirst)).body.code).toBe('LICENSE_NOT_FOUND')
  })

  test('a license of another reseller, or of an app that is no longer assigned, is missing', async () => {
    const reseller = await newSellingReseller(app)
    const { visitor, owner, appName, id } = reseller
    const colleague = await newSellingReseller(app, {}, owner)
    const [theirs = ''] = keysOf(await colleague.sell())
    const [own = ''] = keysOf(await reseller.sell())
    const codeOf = async (key: string) =>
      (await visitor.call('DELETE /reseller/licenses/{id}', { params: { id: key } })).body.code
    expect(await codeOf(theirs)).toBe('LICENSE_NOT_FOUND')
    await owner.visitor.call('DELETE /resellers/{id}/apps/{app}', { params: { id, app: appName } })
    expect(await codeOf(own)).toBe('LICENSE_NOT_FOUND')
  })

  test("a key that is in two of the reseller's apps needs the app", async () => {
    const reseller = await newSellingReseller(app)
    const { visitor, appName } = reseller
    const other = await withOtherApp(reseller)
    const [key = ''] = keysOf(await reseller.sell())
    await reseller.sell({ appName: other.appName })
    await app.db.write(({ db }) =>
      db.updateTable('licenses').set({ license: key }).where('app_id', '=', other.appId).execute(),
    )
    const params = { id: key }
    expect((await visitor.call('DELETE /reseller/licenses/{id}', { params })).body.code).toBe('NO_APP_SELECTED')
    const named = await visitor.call('DELETE /reseller/licenses/{id}', { params, query: { appName } })
    expect(named.body).toMatchObject({ success: true, refunded: 5 })
  })

  test("statistics cover all of the reseller's apps", async () => {
    const reseller = await newSellingReseller(app)
    const { visitor } = reseller
    await reseller.sell({ amount: 2 })
    const statsOf = async () => (await visitor.call('GET /reseller/licenses/stats')).body.stats
    expect(await statsOf()).toMatchObject({ total: 2, unused: 2 })
    const other = await withOtherApp(reseller)
    await reseller.sell({ appName: other.appName })
    expect(await statsOf()).toMatchObject({ total: 3, unused: 3 })
  })
})
