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
  await sold(shop.seller, 'POST', '/subscriptions', { level: 2, name: 'Pro' })
  program = await Program.of(app, shop.owner)
  await program.init()
})
afterAll(() => app.close())

const edit = (license: string, body: object) =>
  shop.seller.send<{ license: Record<string, unknown> }>('PUT', `/licenses/${license}`, { body })

test('changes what is given and leaves the rest', async () => {
  const license = await soldLicense(shop.seller, { notes: 'before' })
  const { status, body } = await edit(license, { notes: 'after' })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { code: 'LICENSE_UPDATE_OK', message: 'License updated successfully' },
  })
  expect(body.license).toMatchObject({ license, notes: 'after', level: 1, expiry: 30 * 86_400 })
  expect((await edit(license, { subscription: 2, expiry: 0 })).body.license).toMatchObject({
    notes: 'after',
    level: 2,
    expiry: 0,
  })
  expect((await edit(license, {})).body.license).toMatchObject({ notes: 'after', level: 2, expiry: 0 })
})

test('a redeemed license changes for its user, too', async () => {
  const license = await soldLicense(shop.seller)
  expect((await program.license(license)).body.success).toBe(true)
  await edit(license, { subscription: 2 })
  const { body } = await program.heartbeat()
  expect(body.success).toBe(true)
  const { user } = await sold<{ user: { subscriptions: object } }>(shop.seller, 'GET', `/users/${license}`)
  expect(Object.keys(user.subscriptions)).toEqual(['2'])
})

test('rejects what is no change, and changes nothing', async () => {
  const license = await soldLicense(shop.seller)
  const hostile = {
    notes: [5, null, [], {}, 'x'.repeat(501), 'NUL \0'],
    expiry: [...notIntegers, 31_536_000_001],
    subscription: ['', 'x', 0, -1, null, [], {}],
    license: ['other'],
    licenseKey: ['other'],
    banned: [false],
    used: [false],
    generatedBy: ['x'],
    before: [{ notes: '' }],
  }
  await expectSaleRejected(app, shop.seller, `PUT /licenses/${license}`, hostileBodies({ notes: 'x' }, hostile))
  const unknown = await edit(license, { subscription: 77 })
  expect({ status: unknown.status, code: unknown.body.code }).toEqual({ status: 404, code: 'SUBSCRIPTION_NOT_FOUND' })
})
