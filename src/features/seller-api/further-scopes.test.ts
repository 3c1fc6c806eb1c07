import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '#features/seller-keys/seller-keys.rules.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newSeller, newShop, type Seller, type Shop, sold, soldLicense, soldUser } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** What a call shows or does beyond its own scope needs the scope of that too. */

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
})
afterAll(() => app.close())

async function keyWithout(...missing: string[]): Promise<Seller> {
  const seller = await newSeller(app, shop.owner, { permissions: scopes.filter((each) => !missing.includes(each)) })
  // The first call records the last use of the key.
  await seller.send('GET', '/me')
  return seller
}

test('no reply about users holds their variables without variables:read', async () => {
  const username = await soldUser(shop.seller)
  await sold(shop.seller, 'PUT', `/users/${username}/variables/token`, { data: 'canary-4711' })
  const limited = await keyWithout('variables:read')
  const calls: [method: string, path: string, body?: object][] = [
    ['GET', '/users'],
    ['GET', `/users/${username}`],
    ['PUT', `/users/${username}`, { email: `${username}@example.com` }],
    ...['ban', 'unban', 'pause', 'unpause', 'reset-hwid'].map((action): [string, string, object] => [
      'POST',
      `/users/${username}/${action}`,
      {},
    ]),
    ['POST', `/users/${username}/extend`, { subscription: 1, duration: 1, expiryUnit: 'days' }],
    ['POST', `/users/${username}/subtract`, { duration: 1, expiryUnit: 'days' }],
  ]
  const granted = await sold(limited, 'POST', `/users/${username}/subscriptions`, { level: 1 })
  expect(granted).toMatchObject({ user: { username, variables: {} } })
  expect(JSON.stringify(granted)).not.toContain('canary-4711')
  for (const [method, path, body] of calls) {
    expect(JSON.stringify(await sold(limited, method, path, body)), path).not.toContain('canary-4711')
    expect(JSON.stringify(await sold(shop.seller, method, path, body)), path).toContain('canary-4711')
  }
})

test('users are found by a variable only with variables:read', async () => {
  const username = await soldUser(shop.seller)
  await sold(shop.seller, 'PUT', `/users/${username}/variables/pin`, { data: '4711' })
  const limited = await keyWithout('variables:read')
  for (const value of ['4711', '4712']) {
    const { status, body } = await limited.send('GET', '/users', { query: { variable: 'pin', value } })
    expect([status, body]).toMatchObject([403, { code: 'SCOPE_MISSING', scope: 'variables:read' }])
  }
})

test.each(['licenses:delete', 'users:write'])('a level in use is deleted by force only with %s', async (scope) => {
  const { subscription } = await sold<{ subscription: { level: number } }>(shop.seller, 'POST', '/subscriptions', {
    name: scope,
  })
  const path = `/subscriptions/${subscription.level}`
  await soldLicense(shop.seller, { level: subscription.level })
  const limited = await keyWithout(scope)
  const before = await databaseDigest(app.db)
  const { status, body } = await limited.send('DELETE', path, { query: { forceDelete: true } })
  expect([status, body]).toMatchObject([403, { code: 'SCOPE_MISSING', scope }])
  expect(await databaseDigest(app.db)).toBe(before)
  const allowed = await newSeller(app, shop.owner, {
    permissions: ['subscriptions:write', 'licenses:delete', 'users:write'],
  })
  expect((await allowed.send('DELETE', path, { query: { forceDelete: true } })).body).toMatchObject({
    deletedLicenses: 1,
  })
})
