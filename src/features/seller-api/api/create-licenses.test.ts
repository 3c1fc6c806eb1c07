import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileBodies, notFlags, notIntegers } from '#testing/faults/hostile-input.ts'
import { Program } from '#testing/people/program.ts'
import { expectOnlyShop, expectSaleRejected, newSeller, newShop, type Shop, sold } from '#testing/people/sellers.ts'
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

const create = (body: object, more: { query?: object; headers?: Record<string, string> } = {}) =>
  shop.seller.send<{ licenses: string[]; keys: string[]; text: string }>('POST', '/licenses', { body, ...more })

describe('creating licenses', () => {
  test("returns keys that a program can redeem, with the seller key's name as the creator", async () => {
    const seller = await newSeller(app, shop.owner, { keyName: 'Payhip bot' })
    const { status, body } = await seller.send<{ licenses: string[]; keys: string[] }>('POST', '/licenses', {
      body: { amount: 3, level: 1, notes: 'order 81', expiryUnit: 'days', duration: 7 },
    })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { code: 'LICENSES_CREATE_OK', values: { count: 3 }, message: 'Created 3 licenses successfully' },
    })
    expect(body.keys).toEqual(body.licenses)
    expect(new Set(body.licenses).size).toBe(3)
    for (const license of body.licenses) {
      const found = await sold<{ license: object }>(seller, 'GET', `/licenses/${license}`)
      expect(found.license).toMatchObject({
        generatedBy: 'Payhip bot',
        generatedByReseller: false,
        notes: 'order 81',
        level: 1,
        expiry: 7 * 86_400,
        used: false,
      })
    }
    expect((await program.license(body.licenses[0] as string)).body.success).toBe(true)
  })

  test('accepts the mask and the level under each of their names', async () => {
    for (const level of [
      { level: 1 },
      { plan: '1' },
      { subscription: { level: 1, name: 'Basic' } },
      { subscriptionLevel: 1 },
    ]) {
      const { body } = await create({ amount: 1, mask: 'SHOP-########', lowercase: false, ...level })
      expect(body.licenses[0]).toMatch(/^SHOP-[A-Z0-9]{8}$/)
    }
  })

  test('with format=text, returns the bare keys, one per line', async () => {
    const { status, body, headers } = await create({ amount: 3, level: 1 }, { query: { format: 'text' } })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const keys = body.text.split('\n')
    expect(keys).toHaveLength(3)
    for (const license of keys) expect((await shop.seller.send('GET', `/licenses/${license}`)).status).toBe(200)
  })

  test('with format=text, a rejection is still JSON', async () => {
    const { status, body, headers } = await create({ amount: 1, level: 77 }, { query: { format: 'text' } })
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'SUBSCRIPTION_NOT_FOUND' })
    expect(headers.get('content-type')).toContain('application/json')
  })
})

test('an order sent many times at once is sold once, in either format (R-LED-07)', async () => {
  const before = await sold<{ total: number }>(shop.seller, 'GET', '/licenses')
  const headers = { 'idempotency-key': 'order-4711-once' }
  const body = { amount: 2, level: 1 }
  const formats = ['json', 'text', 'json', 'text', 'json', 'text']
  const answers = await Promise.all(formats.map((format) => create(body, { query: { format }, headers })))
  const keys = answers.map((answer) => answer.body.text ?? answer.body.licenses.join('\n'))
  expect(new Set(keys).size).toBe(1)
  expect(await sold(shop.seller, 'GET', '/licenses')).toMatchObject({ total: before.total + 2 })
  const other = await create({ amount: 3, level: 1 }, { headers })
  expect({ status: other.status, code: other.body.code }).toEqual({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
})

test('another key’s call with the same Idempotency-Key is a separate order', async () => {
  const headers = { 'idempotency-key': 'order-of-two-shops' }
  const body = { amount: 1, level: 1 }
  const first = await create(body, { headers })
  const second = await (
    await newSeller(app, shop.owner)
  ).send<{ licenses: string[] }>('POST', '/licenses', { body, headers })
  expect(second.body.licenses[0]).not.toBe(first.body.licenses[0])
})

test('rejects invalid orders and changes nothing', async () => {
  const hostile = {
    amount: [...notIntegers, 0, 1001, undefined],
    level: ['', 'x', '1.5', -1, 0, null, [], {}, { name: 'x' }, undefined],
    mask: [5, null, [], '', 'SHORT-#', 'with space ########', 'x'.repeat(129)],
    duration: [...notIntegers.filter((value) => value !== ''), 0, 1e13],
    expiryUnit: ['day', '', 5, null, 'fortnights'],
    notes: [5, null, 'x'.repeat(501), 'NUL \0'],
    lowercase: [...notFlags],
    appId: ['app_AAAAAAAAAAAAAAAA'],
    generatedBy: ['Somebody else'],
  }
  await expectSaleRejected(app, shop.seller, 'POST /licenses', hostileBodies({ amount: 1, level: 1 }, hostile))
  for (const format of ['xml', 'TEXT']) {
    expect((await create({ amount: 1, level: 1 }, { query: { format } })).status).toBe(400)
  }
})

test("another shop's level looks like a missing one", async () => {
  await sold(shop.seller, 'POST', '/subscriptions', { level: 55, name: 'Mine' })
  const answer = await expectOnlyShop(app, {
    other: shop.other,
    call: () => 'POST /licenses',
    body: { amount: 1, level: 55 },
  })
  expect(answer.body.code).toBe('SUBSCRIPTION_NOT_FOUND')
})
