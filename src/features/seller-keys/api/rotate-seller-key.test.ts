import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectAllRejected, hostileBodies, notIntegers, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
// Each test advances the clock, and rotation requires a recent sign-in.
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner)
})

async function rotate(overlapHours?: number, from = seller): Promise<Seller> {
  const { status, body } = await owner.visitor.call('POST /rotate_seller_key', {
    body: { sellerKey: from.key, ...(overlapHours !== undefined && { overlapHours }) },
  })
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 200,
    code: 'SELLER_KEY_ROTATE_OK',
    message: 'Seller key rotated successfully',
  })
  return new Seller(app.url, body.sellerKey)
}

const works = async (each: Seller) => (await each.send('GET', '/stats')).status === 200

describe('rotating', () => {
  test('creates a new secret under the same ID, and the old one ends at once', async () => {
    const next = await rotate()
    expect(next.key.slice(0, 17)).toBe(seller.key.slice(0, 17))
    expect(next.key.slice(17, 60)).not.toBe(seller.key.slice(17, 60))
    expect([await works(next), await works(seller)]).toEqual([true, false])
  })

  test('with an overlap, both secrets work exactly until it ends', async () => {
    const next = await rotate(2)
    const list = await owner.visitor.call('GET /seller_keys')
    expect(list.body.sellerKeys[0]?.rotatedUntil).toBeGreaterThan(app.now() + 7190)
    app.advance(7190)
    expect([await works(next), await works(seller)]).toEqual([true, true])
    app.advance(10)
    expect([await works(next), await works(seller)]).toEqual([true, false])
  })

  test('twice ends the first secret and keeps the second for the overlap', async () => {
    const second = await rotate(72)
    const third = await rotate(72, second)
    expect([await works(seller), await works(second), await works(third)]).toEqual([false, true, true])
  })

  test('without an overlap also ends an earlier overlap', async () => {
    const second = await rotate(72)
    const third = await rotate(0, second)
    expect([await works(seller), await works(second), await works(third)]).toEqual([false, false, true])
  })

  test('by two people at once leaves one working key, and the other for the overlap', async () => {
    const id = seller.key.slice(8, 16)
    const body = { sellerKey: id, overlapHours: 1 }
    const answers = await Promise.all([1, 2].map(() => owner.visitor.call('POST /rotate_seller_key', { body })))
    const made = answers.map((answer) => new Seller(app.url, answer.body.sellerKey))
    expect(await Promise.all(made.map(works))).toEqual([true, true])
    expect(await works(seller)).toBe(false)
  })

  test('keeps the name, permissions, addresses, and paused state', async () => {
    const limited = await newSeller(app, owner, {
      keyName: 'Same',
      permissions: ['users:read'],
      whitelistedIPs: ['10.0.0.0/8'],
    })
    await owner.visitor.call('POST /toggle_seller_key_status', { body: { sellerKey: limited.key, status: 'paused' } })
    const { body } = await owner.visitor.call('POST /rotate_seller_key', { body: { sellerKey: limited.key } })
    const expected = { keyName: 'Same', permissions: ['users:read'], whitelistedIPs: ['10.0.0.0/8'], status: 'paused' }
    expect(body.details).toMatchObject(expected)
  })

  test('with the same Idempotency-Key happens once', async () => {
    const input = { body: { sellerKey: seller.key.slice(8, 16) }, headers: { 'idempotency-key': 'rotate-once' } }
    const first = await owner.visitor.call('POST /rotate_seller_key', input)
    const second = await owner.visitor.call('POST /rotate_seller_key', input)
    expect(second.body.sellerKey).toBe(first.body.sellerKey)
  })
})

describe('rejects', () => {
  test('an invalid key or overlap, and changes nothing', async () => {
    const hostile = {
      sellerKey: [...notTexts, '', undefined],
      overlapHours: [...notIntegers, 73, -1, 1e9],
    }
    const bodies = hostileBodies({ sellerKey: seller.key, overlapHours: 1 }, hostile)
    await expectAllRejected(app, owner.visitor, '/rotate_seller_key', bodies)
  })

  test('a call without a password verification within the last five minutes (R-SES-08)', async () => {
    app.advance(301)
    const before = await databaseDigest(app.db)
    const { status, body } = await owner.visitor.call('POST /rotate_seller_key', { body: { sellerKey: seller.key } })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'REAUTH_REQUIRED' })
    expect(await databaseDigest(app.db)).toBe(before)
  })
})
