import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let many: SellingReseller
let few: SellingReseller

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  for (const level of [2, 3])
    await owner.visitor.call('POST /create_subscription', { body: { name: `L${level}`, level } })
  await newLicenses(owner, 4)
  await newLicenses(owner, 2, { subscription: 3 })
  few = await newSellingReseller(app, {}, owner)
  many = await newSellingReseller(app, {}, owner)
  await few.sell()
  await many.sell({ amount: 3 })
})
afterAll(() => app.close())

const facets = async (of: OwnedApp) => (await of.visitor.call('GET /license_facets')).body

test('each level and each reseller has the number of its licenses, of this app alone', async () => {
  const stranger = await newOwnerWithApp(app)
  await newLicenses(stranger, 1)
  expect(await facets(owner)).toMatchObject({
    levels: [
      { level: 1, count: 8, isMore: false },
      { level: 2, count: 0, isMore: false },
      { level: 3, count: 2, isMore: false },
    ],
    resellers: [
      { resellerId: many.id, name: many.username, count: 3 },
      { resellerId: few.id, name: few.username, count: 1 },
    ],
  })
  expect(await facets(stranger)).toMatchObject({ levels: [{ level: 1, count: 1 }], resellers: [] })
})

test('the number is that of the list with this filter', async () => {
  const total = async (query: object) => (await owner.visitor.call('GET /licenses', { query })).body.total
  const { levels, resellers } = await facets(owner)
  for (const { level, count } of levels) expect(await total({ level })).toBe(count)
  for (const { resellerId, count } of resellers) expect(await total({ resellerId })).toBe(count)
  expect(await total({ resellerId: many.id, level: 1, status: 'unused' })).toBe(3)
  expect(await total({ resellerId: 'gone' })).toBe(0)
})

test('a level is counted up to 10,000, with a mark that there are more', async () => {
  const big = await newOwnerWithApp(app)
  for (let n = 0; n < 10; n++) await newLicenses(big, 1000)
  expect((await facets(big)).levels).toEqual([{ level: 1, count: 10_000, isMore: false }])
  await newLicenses(big, 1)
  expect((await facets(big)).levels).toEqual([{ level: 1, count: 10_000, isMore: true }])
})
