import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileBodies, notIntegers } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { expectSaleRejected, newShop, type Shop, sold, soldLicense } from '#testing/people/sellers.ts'
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

const day = 86_400
const addTime = (license: string, body: object, headers: Record<string, string> = {}) =>
  shop.seller.send<{ license: { expiry: number; expiresAt: number | null } }>('POST', `/licenses/${license}/add-time`, {
    body,
    headers,
  })

test.each([
  ['seconds', 90, 90],
  ['hours', 5, 18_000],
  ['days', 2, 2 * day],
  ['months', 1, 30 * day],
  ['years', 1, 365 * day],
])('adds time in %s', async (expiryUnit, duration, seconds) => {
  const license = await soldLicense(shop.seller)
  const { status, body } = await addTime(license, { duration, expiryUnit })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      code: 'LICENSE_ADD_TIME_OK',
      message: 'Time added successfully',
      license: { expiry: 30 * day + seconds, expiresAt: null },
    },
  })
})

test('a redeemed license and its user get it', async () => {
  const license = await soldLicense(shop.seller)
  expect((await program.license(license)).body.success).toBe(true)
  const read = async () => {
    const { user } = await sold<{ user: { subscriptions: Record<string, { expiry: number }> } }>(
      shop.seller,
      'GET',
      `/users/${license}`,
    )
    return user.subscriptions['1']?.expiry as number
  }
  const before = await read()
  const { body } = await addTime(license, { duration: 3, expiryUnit: 'days' })
  expect(await read()).toBe(before + 3 * day)
  expect(body.license.expiresAt).toBe(before + 3 * day)
})

test('sent many times at once with one Idempotency-Key adds once', async () => {
  const license = await soldLicense(shop.seller)
  const headers = { 'idempotency-key': 'renewal-0001' }
  await Promise.all(Array.from({ length: 6 }, () => addTime(license, { duration: 1, expiryUnit: 'days' }, headers)))
  const found = await sold<{ license: object }>(shop.seller, 'GET', `/licenses/${license}`)
  expect(found.license).toMatchObject({ expiry: 31 * day })
})

test('many additions at once all count', async () => {
  const license = await soldLicense(shop.seller)
  await Promise.all(Array.from({ length: 8 }, () => addTime(license, { duration: 1, expiryUnit: 'days' })))
  const found = await sold<{ license: object }>(shop.seller, 'GET', `/licenses/${license}`)
  expect(found.license).toMatchObject({ expiry: 38 * day })
})

test('a lifetime license has nothing to add to', async () => {
  const license = await soldLicense(shop.seller, { expiryUnit: 'lifetime' })
  const { status, body } = await addTime(license, { duration: 1, expiryUnit: 'days' })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'LICENSE_NEVER_ENDS' })
})

test('rejects what is no time, and changes nothing', async () => {
  const license = await soldLicense(shop.seller)
  const hostile = {
    duration: [...notIntegers, 0, 1e12, undefined],
    expiryUnit: ['lifetime', 'day', '', 5, null, undefined],
    licenses: [['x']],
  }
  const bodies = hostileBodies({ duration: 1, expiryUnit: 'years' }, hostile)
  await expectSaleRejected(app, shop.seller, `POST /licenses/${license}/add-time`, bodies)
})
