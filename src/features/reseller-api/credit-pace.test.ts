import { afterAll, beforeAll, expect, test } from 'vitest'
import { assign, newSellingReseller, resellerPassword, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** How long a reseller's credits last, from the ledger. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const day = 86_400

async function pace({ visitor, appName, username }: SellingReseller) {
  const query = { appName }
  const input = { body: { username, password: resellerPassword } }
  // Sessions end with the days that a test lets pass.
  if ((await visitor.call('GET /reseller/check-auth')).status !== 200) await visitor.call('POST /reseller/login', input)
  const { credits, spentLast30Days, daysLeft, low } = (await visitor.call('GET /reseller/credits', { query })).body
  return { credits, spent: spentLast30Days, daysLeft, low }
}

const keysOf = ({ body }: { body: unknown }) => (body as { licenses: string[] }).licenses

test('without sales there is no pace: fewer than 10 credits are low', async () => {
  const reseller = await newSellingReseller(app, { credits: 10 })
  expect(await pace(reseller)).toEqual({ credits: 10, spent: 0, daysLeft: null, low: false })
  const { owner, id, appName } = reseller
  const setTo = (amount: number) =>
    owner.visitor.call('POST /resellers/{id}/credits/set', { params: { id }, body: { appName, amount } })
  await setTo(9)
  expect(await pace(reseller)).toMatchObject({ credits: 9, daysLeft: null, low: true })
  await setTo(0)
  expect(await pace(reseller)).toEqual({ credits: 0, spent: 0, daysLeft: null, low: true })
})

test('credits that last 7 days at the pace of sales are not low, fewer days are; a refund slows the pace', async () => {
  const reseller = await newSellingReseller(app, { credits: 80 })
  const [first = ''] = keysOf(await reseller.sell({ amount: 2 }))
  expect(await pace(reseller)).toEqual({ credits: 70, spent: 10, daysLeft: 7, low: false })
  await reseller.sell({ plan: '7' })
  expect(await pace(reseller)).toEqual({ credits: 68, spent: 12, daysLeft: 5, low: true })
  const { appName } = reseller
  await reseller.visitor.call('DELETE /reseller/licenses/{id}', { params: { id: first }, query: { appName } })
  expect(await pace(reseller)).toEqual({ credits: 73, spent: 7, daysLeft: 10, low: false })
})

test('spent credits last no day more', async () => {
  const reseller = await newSellingReseller(app, { credits: 10 })
  await reseller.sell({ amount: 2 })
  expect(await pace(reseller)).toEqual({ credits: 0, spent: 10, daysLeft: 0, low: true })
})

test('the pace is that of the last 30 days, or of all days of a younger account', async () => {
  const reseller = await newSellingReseller(app, { credits: 100 })
  await reseller.sell({ amount: 4 })
  app.advance(10 * day)
  expect(await pace(reseller)).toMatchObject({ spent: 20, daysLeft: 40 })
  app.advance(20 * day)
  expect(await pace(reseller)).toMatchObject({ spent: 20, daysLeft: 120 })
  app.advance(1)
  expect(await pace(reseller)).toMatchObject({ spent: 0, daysLeft: null, low: false })
  await reseller.sell()
  expect(await pace(reseller)).toMatchObject({ spent: 5, daysLeft: 450 })
})

test('a deletion without a refund leaves the pace as it was', async () => {
  const reseller = await newSellingReseller(app, { credits: 100 })
  const [key = ''] = keysOf(await reseller.sell({ amount: 2 }))
  const before = await pace(reseller)
  const { owner } = reseller
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: key, refundCredits: false } })
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(1)
  expect(await pace(reseller)).toEqual(before)
})

test("another reseller's sales, and those of another app, do not count (R-TEN-06)", async () => {
  const reseller = await newSellingReseller(app, { credits: 100 })
  const { owner, id } = reseller
  const colleague = await newSellingReseller(app, { credits: 100 }, owner)
  await colleague.sell({ amount: 10 })
  await owner.visitor.call('POST /create_app', { body: { appName: 'Other app' } })
  await assign(owner, { id, appName: 'Other app', credits: 50, planCosts: { '30': 0 } })
  await reseller.sell()
  expect(await pace(reseller)).toMatchObject({ spent: 5, daysLeft: 19 })
  expect(await pace({ ...reseller, appName: 'Other app' })).toMatchObject({ spent: 0, daysLeft: null })
})
