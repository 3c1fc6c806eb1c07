import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRejected, hostileBodies, notFlags, notIntegers, notTexts } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import {
  expectOnlyShop,
  expectSaleRejected,
  newShop,
  type Shop,
  sold,
  soldLicense,
  soldUser,
} from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
  program = await Program.of(app, shop.owner)
  await program.init()
})
afterAll(() => app.close())

interface Level {
  level: number
  name: string
  active: boolean
  userCount: number
}

const send = (...input: Parameters<Shop['seller']['send']>) =>
  shop.seller.send<{ subscription: Level; subscriptions: Level[] }>(...input)
const levels = async () => (await send('GET', '/subscriptions')).body.subscriptions
let last = 100
async function freshLevel(): Promise<number> {
  await sold(shop.seller, 'POST', '/subscriptions', { level: ++last, name: `Level ${last}` })
  return last
}

test('lists the levels with their users, lowest first', async () => {
  await soldUser(shop.seller, { days: 5 })
  const [basic] = await levels()
  expect(basic).toEqual({ level: 1, name: 'Basic', active: true, userCount: 1 })
})

test('creates a level, the next number by default, and never the same one twice', async () => {
  const made = await send('POST', '/subscriptions', { body: { name: ' Pro ' } })
  expect(made.body).toMatchObject({
    message: 'Subscription created successfully',
    subscription: { level: 2, name: 'Pro', active: true, userCount: 0 },
  })
  const taken = await send('POST', '/subscriptions', { body: { level: 2, name: 'Again' } })
  expect({ status: taken.status, code: taken.body.code }).toEqual({ status: 409, code: 'SUBSCRIPTION_LEVEL_TAKEN' })
})

test('renames, pauses, and activates a level; programs notice at once', async () => {
  const level = await freshLevel()
  const license = await soldLicense(shop.seller, { level })
  expect((await program.license(license)).body.success).toBe(true)
  const renamed = await send('PUT', `/subscriptions/${level}`, { body: { name: 'New name' } })
  expect(renamed.body.subscription).toEqual({ level, name: 'New name', active: true, userCount: 1 })
  expect((await send('PUT', `/subscriptions/${level}`, { body: { active: false } })).body.subscription).toMatchObject({
    name: 'New name',
    active: false,
  })
  expect((await program.heartbeat()).body.success).toBe(false)
  expect(
    (await send('PUT', `/subscriptions/${level}`, { body: { name: 'Both', active: true } })).body.subscription,
  ).toMatchObject({ name: 'Both', active: true })
  expect((await program.heartbeat()).body.success).toBe(true)
})

test('a level in use is deleted only by force', async () => {
  const level = await freshLevel()
  await soldLicense(shop.seller, { level })
  const rejected = await send('DELETE', `/subscriptions/${level}`)
  expect({ status: rejected.status, code: rejected.body.code }).toEqual({ status: 409, code: 'SUBSCRIPTION_IN_USE' })
  const forced = await send('DELETE', `/subscriptions/${level}`, { query: { forceDelete: true } })
  expect(forced.body).toMatchObject({
    message: 'Subscription deleted successfully',
    deletedLicenses: 1,
    removedUsers: 0,
  })
  expect((await levels()).map((each) => each.level)).not.toContain(level)
  const empty = await freshLevel()
  expect((await send('DELETE', `/subscriptions/${empty}`)).body).toMatchObject({ deletedLicenses: 0, removedUsers: 0 })
})

describe('rejects', () => {
  test('an invalid level, and changes nothing', async () => {
    const hostile = {
      level: [...notIntegers, 0, 1_000_001],
      name: [...notTexts, '', '  ', 'x'.repeat(51), undefined],
      active: [...notFlags],
      appId: ['x'],
    }
    await expectSaleRejected(
      app,
      shop.seller,
      'POST /subscriptions',
      hostileBodies({ level: 900, name: 'Never' }, hostile),
    )
  })

  test('an invalid change of a level, and changes nothing', async () => {
    const level = await freshLevel()
    const hostile = { name: [...notTexts, '', '  ', 'x'.repeat(51)], active: [...notFlags], level: [5], appId: ['x'] }
    const bodies = [...hostileBodies({ name: 'Never' }, hostile), {}]
    await expectSaleRejected(app, shop.seller, `PUT /subscriptions/${level}`, bodies)
  })

  test('paths without a valid level', async () => {
    for (const level of ['0', '-1', '1.5', 'x', '1e308', '1000001', '%00']) {
      expectRejected(await send('PUT', `/subscriptions/${level}`, { body: { name: 'X' } }), level)
      expectRejected(await send('DELETE', `/subscriptions/${level}`), level)
    }
    for (const query of [{ forceDelete: 'yes' }, { force: true }]) {
      expectRejected(await send('DELETE', `/subscriptions/${await freshLevel()}`, { query }), query)
    }
  })

  test.each(['PUT', 'DELETE'] as const)('%s: another shop’s level, like a missing one', async (method) => {
    const level = await freshLevel()
    const call = (which: 'own' | 'missing') => `${method} /subscriptions/${which === 'own' ? level : 999_999}` as const
    const answer = await expectOnlyShop(app, {
      other: shop.other,
      call,
      ...(method === 'PUT' && { body: { name: 'Mine' } }),
    })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 404, code: 'SUBSCRIPTION_NOT_FOUND' })
  })
})
