import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { liftSellerLimits, newSeller, Seller, setSellerLimits, sold } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { CallTypes } from '#contract/define-call.ts'
import type { sellerKeyContract } from '../seller-key.contract.ts'

type Me = CallTypes<typeof sellerKeyContract.me>['reply']

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const me = (seller: Seller) => sold<Me>(seller, 'GET', '/me')

describe('is rejected', () => {
  test('without a key, with a wrong one, and for a session', async () => {
    const { key } = await newSeller(app, owner)
    const before = await databaseDigest(app.db)
    for (const text of ['', `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`])
      expectRejected(await new Seller(app.url, text).send('GET', '/me'), text, 401)
    expectRejected(await owner.visitor.send('GET', '/api/1.0/seller/me'), 'session', 401)
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('from an address that is not allowed, and while the key is paused', async () => {
    const elsewhere = await newSeller(app, owner, { whitelistedIPs: ['10.1.2.3'] })
    expect(await elsewhere.send('GET', '/me')).toMatchObject({ status: 403, body: { code: 'SELLER_KEY_IP_REFUSED' } })
    const paused = await newSeller(app, owner)
    await owner.visitor.call('POST /toggle_seller_key_status', { body: { sellerKey: paused.key, status: 'paused' } })
    expect(await paused.send('GET', '/me')).toMatchObject({ status: 403, body: { code: 'SELLER_KEY_PAUSED' } })
  })

  test('with any field', async () => {
    const seller = await newSeller(app, owner)
    for (const query of [{ appId: owner.appId }, { key: 'x' }])
      expectRejected(await seller.send('GET', '/me', { query }), query)
  })
})

test('names the key, its app, its permissions and the server, whatever the permissions, and never the key', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const seller = await newSeller(app, owner, {
    keyName: 'Bot',
    permissions: ['logs:read'],
    whitelistedIPs: ['127.0.0.1', '10.0.0.0/8'],
  })
  const reply = await me(seller)
  expect(reply).toEqual({
    success: true,
    key: {
      id: seller.key.slice(0, 16),
      name: 'Bot',
      fullAccess: false,
      permissions: ['logs:read'],
      allowedIps: 2,
      createdAt: app.now(),
      expiresAt: null,
    },
    app: { id: owner.appId, name: owner.appName },
    limits: {
      perMinute: { limit: 60, remaining: 59, resetSeconds: 60 },
      perHour: { limit: 1000, remaining: 999, resetSeconds: 3600 },
    },
    ip: '127.0.0.1',
    serverVersion: version,
  })
  expect(JSON.stringify(reply)).not.toContain(seller.key.slice(17))
  expect(JSON.stringify(reply)).not.toContain(seller.key.slice(-4))
  const full = await me(await newSeller(app, owner))
  expect(full.key).toMatchObject({ fullAccess: true, permissions: [], allowedIps: 0 })
})

test('says when the previous secret of a rotated key ends, to that secret alone', async () => {
  const old = await newSeller(app, owner)
  const { body } = await owner.visitor.call('POST /rotate_seller_key', {
    body: { sellerKey: old.key, overlapHours: 2 },
  })
  expect((await me(old)).key.expiresAt).toBe(app.now() + 7200)
  expect((await me(new Seller(app.url, body.sellerKey))).key.expiresAt).toBeNull()
})

test('counts against the limits that the administrator set, and says what is left of both', async () => {
  const seller = await newSeller(app, owner)
  await setSellerLimits(app, 3, 100)
  expect((await me(seller)).limits).toMatchObject({ perMinute: { remaining: 2 }, perHour: { remaining: 99 } })
  await me(seller)
  await me(seller)
  expectRejected(await seller.send('GET', '/me'), 'the fourth call', 429)
  app.advance(60)
  expect((await me(seller)).limits).toEqual({
    perMinute: { limit: 3, remaining: 2, resetSeconds: 60 },
    perHour: { limit: 100, remaining: 96, resetSeconds: 3540 },
  })
  await liftSellerLimits(app)
})
