import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Levels that a reseller may sell, and that are deleted. */

let app: TestApp
let reseller: SellingReseller

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  reseller = await newSellingReseller(app)
  await create('Gold')
})

const create = (name: string) =>
  reseller.owner.visitor.call('POST /create_subscription', { body: { name, active: true } })
const allow = async (allowedSubscriptions: number[], before?: number[]) => {
  const params = { id: reseller.id, app: reseller.appName }
  const body = { allowedSubscriptions, ...(before && { before: { allowedSubscriptions: before } }) }
  return (await reseller.owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params, body })).body
}
const allowed = async () => {
  const params = { id: reseller.id }
  const { assignedApps } = (await reseller.owner.visitor.call('GET /resellers/{id}', { params })).body.reseller
  return assignedApps[0]?.allowedSubscriptions
}
const sell = async (level?: number) =>
  (await reseller.sell(level === undefined ? {} : { subscriptionLevel: level })).body.code
/** Deletes level 2; returns what restores it. */
const remove = async () =>
  String((await reseller.owner.visitor.call('POST /delete_subscription', { body: { level: 2 } })).body.undoId)
const restore = (undoId: string) => reseller.owner.visitor.call('POST /bin/restore', { body: { undoId } })

test('a new level with the number of a deleted one is not allowed, and none is if there is no other', async () => {
  await allow([2])
  expect(await sell(2)).toBe('LICENSE_GENERATE_OK')
  await reseller.owner.visitor.call('POST /delete_subscription', { body: { level: 2, forceDelete: true } })
  app.advance(60)
  await create('Enterprise')
  expect(await allowed()).toEqual([0])
  for (const level of [undefined, 1, 2]) expect(await sell(level)).toBe('LEVEL_NOT_ALLOWED')
  await allow([2], [0])
  expect(await sell(2)).toBe('LICENSE_GENERATE_OK')
})

test('a restored level is allowed again', async () => {
  await allow([1, 2])
  const undoId = await remove()
  expect(await allowed()).toEqual([1])
  app.advance(60)
  expect((await restore(undoId)).body).toMatchObject({ restored: 1, failed: 0 })
  expect(await allowed()).toEqual([1, 2])
  expect(await sell(2)).toBe('LICENSE_GENERATE_OK')
})

test('the others can be changed after one was deleted, and changed back', async () => {
  await create('Team')
  await allow([2])
  await remove()
  expect(await allow([3], [0])).toMatchObject({ success: true })
  expect(await allow([0], [3])).toMatchObject({ success: true })
  expect(await sell(1)).toBe('LEVEL_NOT_ALLOWED')
})
